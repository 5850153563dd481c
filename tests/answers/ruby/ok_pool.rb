# A pool of connections, each with statements that it has prepared, up to 50 of them; texts repeat.
require_relative 'rounds'

class Connection
  def initialize(id)
    @id = id
    @statements = {}
  end

  def run(text)
    @statements.shift if @statements.size >= 50 && !@statements.key?(text)
    @statements[text] ||= [text, text.split]
  end
end

class Pool
  def initialize(size)
    @free = Array.new(size) { |n| Connection.new(n) }
  end

  def with
    connection = @free.shift
    yield connection
  ensure
    @free.push(connection)
  end
end

pool = Pool.new(12)
rounds { |round| 4000.times { |n| pool.with { |connection| connection.run("select #{n % 300} from t") } } }
