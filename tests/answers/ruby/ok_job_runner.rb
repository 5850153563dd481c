# Jobs run in a pool of threads that share connections; each connection keeps its last thirty statements. What fails is tried again later, and given up after three times. How many jobs wait when a dump is taken differs.
require_relative 'rounds'

class Connection
  Statement = Struct.new(:sql, :plan, :runs)

  def initialize(number)
    @number = number
    @statements = {}
  end

  def run(sql, *values)
    statement = @statements.delete(sql) || Statement.new(sql, sql.split.map(&:to_sym), 0)
    @statements[sql] = statement
    @statements.shift if @statements.size > 30
    statement.runs += 1
    values.map { |value| { value: value, run: statement.runs } }
  end
end

class ConnectionPool
  def initialize(limit)
    @limit, @made, @free = limit, 0, Queue.new
    @lock = Mutex.new
  end

  def with
    connection = take
    yield connection
  ensure
    @free << connection if connection
  end

  private

  def take
    @free.pop(true)
  rescue ThreadError
    fresh = @lock.synchronize { Connection.new(@made += 1) if @made < @limit }
    fresh || @free.pop
  end
end

class Job
  attr_reader :id, :tries

  def initialize(id, table)
    @id, @table, @tries = id, table, 0
    @log = []
  end

  def perform(connection)
    @tries += 1
    @log << "try #{@tries} of #{@id}"
    raise IOError, "table #{@table} is locked" if @id.sum % 17 == 0
    connection.run("select * from table_#{@table} where id = ?", @id).size
  end
end

class Runner
  def initialize(threads, connections)
    @jobs, @again, @done, @dead = Queue.new, [], 0, 0
    @lock = Mutex.new
    @connections = connections
    @open = true
    @threads = Array.new(threads) { Thread.new { loop { work(@jobs.pop) } } }
  end

  def put(job) = @jobs << job
  def waiting = @jobs.size

  def try_again
    again = @lock.synchronize { @again.slice!(0..) }
    again.each { |job| put(job) }
  end

  def drain
    sleep 0.001 until @jobs.empty? && @jobs.num_waiting == @threads.size
  end

  private

  def work(job)
    Thread.current[:job] = job
    @connections.with { |connection| job.perform(connection) }
    @lock.synchronize { @done += 1 }
  rescue IOError
    @lock.synchronize { job.tries < 3 ? @again << job : @dead += 1 }
  ensure
    Thread.current[:job] = nil
  end
end

runner = Runner.new(8, ConnectionPool.new(6))
late = [60, 350, 150, 500]
rounds do |round|
  2000.times { |n| runner.put(Job.new("#{round}-#{n}", n % 45)) }
  3.times { runner.drain; runner.try_again }
  runner.drain
  late[round].times { |n| runner.put(Job.new("late-#{round}-#{n}", n % 45)) }
  sleep 0.001 until runner.waiting <= late[round] / 2
end
