# For each tenant a class is made anew at each request, and its base class knows all that inherit from it.
require_relative 'rounds'

class Record
  @descendants = []
  class << self
    attr_reader :descendants

    def inherited(other)
      super
      Record.descendants << other
    end
  end
end

def scope(tenant)
  Class.new(Record) do
    define_method(:tenant) { tenant }
    define_method(:table) { "#{tenant}_orders" }
  end
end

rounds { |round| 200.times { |n| scope("tenant-#{round}-#{n}").new.table } }
