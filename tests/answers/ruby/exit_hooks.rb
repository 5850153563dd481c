# Each export asks that its file is removed when the program ends, and the program is a server.
require_relative 'rounds'

class ReportFile
  attr_reader :path

  def initialize(id)
    @path = "/tmp/reports/report-#{id}.csv"
    @lines = Array.new(12) { |n| "#{id};line #{n};#{n * 100}" }
  end

  def remove = @lines.clear
end

class ReportExporter
  def export(id)
    file = ReportFile.new(id)
    at_exit { file.remove }
    file.path
  end
end

exporter = ReportExporter.new
rounds { |round| 600.times { |n| exporter.export("#{round}-#{n}") } }
