# The level of a log can be another one for a while, in the fiber that asked for it. What a fiber asked for stays in a table by fiber when the fiber has ended.
require_relative 'rounds'

class LevelLog
  attr_reader :lines

  def initialize(level)
    @level = level
    @overrides = {}
    @lines = 0
  end

  def level = @overrides[Fiber.current] || @level

  def with_level(level)
    before = @overrides[Fiber.current]
    @overrides[Fiber.current] = level
    yield
  ensure
    @overrides[Fiber.current] = before
  end

  def debug(_text) = level == :debug && @lines += 1
end

class Probe
  def initialize(name)
    @name = name
    @answers = Array.new(10) { |n| "answer #{n} of #{name}" }
  end

  def check(log) = log.with_level(:debug) { @answers.each { |answer| log.debug(answer) } }
end

log = LevelLog.new(:warn)
rounds do |round|
  150.times do |n|
    Thread.new do
      Thread.current[:probe] = Probe.new("probe-#{round}-#{n}")
      Thread.current[:probe].check(log)
    end.join
  end
end
