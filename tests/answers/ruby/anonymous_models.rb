# Each customer has a schema; a query makes a model for its table, and Sequel remembers models of data sets.
require_relative 'rounds'
require 'sequel'

DB = Sequel.sqlite
DB.create_table(:orders) do
  primary_key :id
  Integer :customer
  String :article
  Integer :cents
end

module Reports
  Line = Struct.new(:article, :cents)

  # The orders of a customer since a day, as objects.
  def self.orders_of(customer, since)
    Sequel::Model(DB[:orders].where(customer: customer).where { id > since })
  end

  def self.total(customer, since)
    model = orders_of(customer, since)
    lines = model.limit(5).all.map { |order| Line.new(order[:article], order[:cents]) }
    lines.sum(&:cents)
  end
end

last = 0
rounds do
  250.times do
    last += 1
    DB[:orders].insert(customer: last % 40, article: "chair #{last}", cents: 4_900 + last)
    DB[:orders].where { id < last - 200 }.delete
    Reports.total(last % 40, last - 100)
  end
end
