# Handlers are methods of widgets, kept in a global table of events; widgets are closed without leaving it.
require_relative 'rounds'

$handlers = Hash.new { |all, event| all[event] = [] }

class Widget
  def initialize(name)
    @name = name
    @cells = Array.new(6) { |n| "#{name} #{n}" }
    $handlers[:refresh] << method(:refresh)
  end

  def refresh(at) = @at = at
end

rounds do |round|
  700.times { |n| Widget.new("widget-#{round}-#{n}") }
  $handlers[:refresh].each { |handler| handler.call(round) }
end
