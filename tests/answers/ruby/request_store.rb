# What a request knows is kept with its thread, and cleared by nobody: the thread of the server is always the same.
require_relative 'rounds'

class AuditLine
  def initialize(text) = @text = text
end

def handle(id)
  Thread.current[:audit_lines] ||= []
  Thread.current[:audit_lines] << AuditLine.new("request #{id} was served")
end

rounds { |round| 2000.times { |n| handle("#{round}-#{n}") } }
