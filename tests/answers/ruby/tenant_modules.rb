# The fields of a tenant become methods in a module, and each time they are read the class of all orders includes a new one.
require_relative 'rounds'

class Order
  attr_reader :values

  def initialize(values) = @values = values
end

class TenantFields
  def initialize(tenant, names)
    @tenant = tenant
    @names = names
  end

  def install
    names = @names
    Order.include(Module.new { names.each { |name| define_method(name) { values[name] } } })
  end
end

rounds do |round|
  60.times do |n|
    TenantFields.new("tenant-#{n}", Array.new(8) { |f| "field_#{f}_of_#{round}_#{n}".to_sym }).install
    Order.new({}).values.size
  end
end
