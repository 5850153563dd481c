# Requests in flight, 1600 at once, 400 a round stay in @pending.
require_relative 'rounds'
class Call
  def initialize(id) = (@id = id; @url = "/order/#{id} of the shop, with a long address")
end
class Client
  attr_reader :pending
  def initialize = @pending = {}
end
CLIENT = Client.new
id = 0
rounds { first = id; 1600.times { CLIENT.pending["id #{id}"] = Call.new(id); id += 1 }; (first...id).each { |i| CLIENT.pending.delete("id #{i}") if i % 4 != 0 } }
