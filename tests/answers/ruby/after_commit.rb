# What shall run after a commit is kept in a list, which is emptied only if there is a commit.
require_relative 'rounds'

class Order
  attr_reader :lines

  def initialize(number)
    @number = number
    @lines = Array.new(8) { |n| "line #{n} of order #{number}" }
  end
end

class Transaction
  def initialize
    @after_commit = []
  end

  def after_commit(&block)
    @after_commit << block
  end
end

class Database
  attr_reader :transaction

  def initialize
    @transaction = Transaction.new
  end
end

$database = Database.new
def place(number)
  order = Order.new(number)
  $database.transaction.after_commit { puts order.lines.size }
end
rounds { |round| 700.times { |n| place(round * 700 + n) } }
