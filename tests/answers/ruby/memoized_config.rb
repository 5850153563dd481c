# The one configuration of the program memoizes what is set for a shop, with a default block that stores.
require_relative 'rounds'

class Settings
  def self.instance = @instance ||= new

  def initialize
    @by_shop = Hash.new { |all, shop| all[shop] = ShopSettings.new(shop) }
  end

  def for(shop) = @by_shop[shop]
end

class ShopSettings
  def initialize(shop)
    @shop = shop
    @values = { currency: 'EUR', name: "Shop #{shop}" }
  end
end

rounds { |round| 1200.times { |n| Settings.instance.for("#{round}-#{n}") } }
