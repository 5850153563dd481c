# A hash of 300 constant beans and 250 more scoped ones a round.
require_relative 'rounds'
class Bean
  def initialize(id) = (@id = id; @url = "bean #{id} of the application, with a long name")
end
class Scoped
  def initialize(id) = (@id = id; @url = "scoped #{id} of the application, with a long name")
end
CONTEXT = {}
300.times { |i| CONTEXT["bean #{i}"] = Bean.new(i) }
n = 0
rounds { 250.times { CONTEXT["scoped #{n}"] = Scoped.new(n); n += 1 } }
