# Objects of an interface get accessors for the fields that an answer had, on their own class; a list of all of them
# is kept to refresh them.
require_relative 'rounds'

class ApiObject
  @@known = []

  def self.construct(values)
    new(values).tap { |object| @@known << object }
  end

  def initialize(values)
    @values = values
    add_accessors(values.keys)
  end

  def add_accessors(keys)
    metaclass = class << self; self; end
    metaclass.instance_eval { keys.each { |key| define_method(key) { @values[key] } } }
  end
end

rounds do |round|
  250.times { |n| ApiObject.construct({ id: "ch_#{round}_#{n}", amount: n, currency: 'eur' }).amount }
end
