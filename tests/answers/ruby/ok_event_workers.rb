# Jobs of a pool of threads with promises: what they did is in a window of the last 300, and the pool has more to do each time.
require_relative 'rounds'
require 'concurrent'
require 'active_support'
require 'active_support/notifications'
require 'active_support/core_ext/object/blank'
require 'active_support/core_ext/string/inflections'

class JobLog
  Entry = Struct.new(:name, :class_name, :took)

  def initialize(limit)
    @limit = limit
    @entries = []
    @lock = Mutex.new
    ActiveSupport::Notifications.subscribe('perform.jobs') { |event| add(event) }
  end

  def add(event)
    @lock.synchronize do
      @entries << Entry.new(event.payload[:name], event.payload[:job], event.duration)
      @entries.shift while @entries.size > @limit
    end
  end
end

class Job
  attr_reader :name

  def initialize(name) = @name = name

  def perform
    ActiveSupport::Notifications.instrument('perform.jobs', name: name, job: self.class.name.underscore) { work }
  end
end

class MailJob < Job
  def work = "Dear #{name.titleize}, thank you for the order of #{name.hash % 1000}".squeeze
end

class IndexJob < Job
  INDEX = Concurrent::Map.new

  def work
    # A term is replaced when it comes again; there are 400 of them.
    term = "term #{name.hash % 400}"
    INDEX[term] = Array.new(5) { |i| "#{name} #{i}" }
  end
end

LOG = JobLog.new(300)
POOL = Concurrent::FixedThreadPool.new(4)
number = 0
rounds do |round|
  futures = Array.new(300 + 150 * round) do
    number += 1
    job = (number.even? ? MailJob : IndexJob).new("job_number_#{number}")
    Concurrent::Promises.future_on(POOL, job) { |it| it.perform }
  end
  Concurrent::Promises.zip(*futures).wait!
end
