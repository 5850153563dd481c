# A reporter of errors keeps each exception that was handled, with its places, for a report at the end of the day.
require_relative 'rounds'

class ImportError < StandardError
  def initialize(row)
    @row = row
    super("row #{row} is wrong")
  end
end

class ErrorReporter
  attr_reader :errors

  def initialize = @errors = []

  def handle
    yield
  rescue ImportError => e
    @errors << e
  end
end

REPORTER = ErrorReporter.new
rounds { |round| 500.times { |n| REPORTER.handle { raise ImportError, "#{round}-#{n}" } } }
