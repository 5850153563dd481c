# Reports are read line by line from outside; those that are left half-way stay in a table, with their fibers.
require_relative 'rounds'

class Report
  def initialize(name)
    @name = name
    @rows = Array.new(20) { |n| "row #{n} of #{name}" }
  end

  def lines
    Enumerator.new { |out| @rows.each { |row| out << row.upcase } }
  end
end

class Exporter
  def initialize
    @open_reports = {}
  end

  def first_line(name)
    lines = (@open_reports[name] ||= Report.new(name).lines)
    lines.next
  end
end

EXPORTER = Exporter.new
rounds { |round| 80.times { |n| EXPORTER.first_line("report-#{round}-#{n}") } }
