# Each request has a cache of its queries, which is empty when the request is over; four connections have 50 statements each.
require_relative 'rounds'

class DatabaseConnection
  def initialize
    @statements = {}
    @query_cache = {}
  end

  def query(sql, id)
    @statements.delete(@statements.first[0]) if @statements.size >= 50
    @statements[sql] ||= sql.split
    @query_cache[[sql, id]] ||= Array.new(5) { |n| { id: id, row: n } }
  end

  def clear = @query_cache.clear
end

connections = Array.new(4) { DatabaseConnection.new }
rounds do |round|
  300.times do |n|
    connection = connections[n % 4]
    20.times { |id| connection.query("select #{round} #{n} from orders where id = ?", id) }
    connection.clear
  end
end
