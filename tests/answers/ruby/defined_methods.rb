# The presenter of prices gets a method for each product that it shows.
require_relative 'rounds'

class PricePresenter
  def self.for(product)
    name = :"price_of_#{product[:sku]}"
    define_method(name) { |count| "#{product[:title]}: #{product[:cents] * count / 100.0} EUR" }
    name
  end
end

class ShopController
  def initialize = @presenter = PricePresenter.new

  def show(sku)
    product = { sku: sku, title: "Article number #{sku} of the shop", cents: 1200, tags: Array.new(6) { |n| "tag #{n} #{sku}" } }
    @presenter.public_send(PricePresenter.for(product), 2)
  end
end

controller = ShopController.new
rounds { |round| 700.times { |n| controller.show("#{round}_#{n}") } }
