# State copied by Marshal with each dispatch, ever more cards.
require_relative 'rounds'
class Store
  attr_reader :state
  def initialize = @state = { cards: [] }
  def dispatch
    copy = Marshal.load(Marshal.dump(@state))
    yield copy
    @state = copy
  end
end
STORE = Store.new
n = 0
rounds { 30.times { STORE.dispatch { |s| 10.times { s[:cards] << { key: "CARD-#{n += 1} of the board of the team", done: n.even? } } } } }
