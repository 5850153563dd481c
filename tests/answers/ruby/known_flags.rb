# Flags are asked for by a name that has the number of the user in it; a class variable knows all of them as symbols.
require_relative 'rounds'

class FeatureFlags
  @@known = {}

  Decision = Struct.new(:flag, :enabled, :reason)

  def self.enabled?(name)
    key = name.to_sym
    (@@known[key] ||= Decision.new(key, name.size.even?, "rule of #{name}")).enabled
  end
end

rounds { |round| 1500.times { |n| FeatureFlags.enabled?("new_cart_user_#{round}_#{n}") } }
