# Changes of records are noted in a class variable, to be written together at the end of a job; a server has no such end.
require_relative 'rounds'

module Audited
  Change = Struct.new(:record, :field, :before, :after, :by)
  @@changes = []

  def self.flush(io) = @@changes.shift(@@changes.size).each { |change| io.puts(change.field) }

  def change(field, value, by:)
    @@changes << Change.new(self, field, instance_variable_get("@#{field}"), value, by)
    instance_variable_set("@#{field}", value)
  end
end

class Invoice
  include Audited
  attr_reader :number, :state, :total

  def initialize(number)
    @number = number
    @state = 'open'
    @total = 0
  end
end

class Desk
  def initialize = @open = {}

  def handle(number, most)
    invoice = @open[number] = Invoice.new(number)
    invoice.change(:total, number * 13 % 5000, by: "clerk #{number % 7}")
    return unless @open.size > most
    _, oldest = @open.shift
    oldest.change(:state, 'paid', by: 'bank')
  end
end

desk = Desk.new
number = 0
round = -1
rounds do
  round += 1
  1500.times { desk.handle(number += 1, 60 + 60 * round) }
end
