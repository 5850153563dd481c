# A parser remembers the type that it found for each parameter; names of parameters have the number of a line of the order in them.
require_relative 'rounds'

class ParamParser
  Guess = Struct.new(:type, :example, :seen)

  def self.guesses = @guesses ||= {}

  def self.parse(name, text)
    guess = guesses[name] ||= Guess.new(text.match?(/\A\d+\z/) ? :integer : :string, text, 0)
    guess.seen += 1
    guess.type == :integer ? text.to_i : text
  end
end

orders = []
line = 0
round = -1
rounds do
  round += 1
  1200.times do |n|
    orders << { count: ParamParser.parse("lines[#{line += 1}][count]", (n % 9).to_s), page: ParamParser.parse('page', '1') }
    orders.shift while orders.size > 80 + 60 * round
  end
end
