# The finalizer of an object is a block of its own method, so it holds the object.
require_relative 'rounds'

class TempFile
  def initialize(name)
    @name = name
    @parts = Array.new(10) { |n| "part #{n} of #{name}" }
    ObjectSpace.define_finalizer(self, proc { @name = nil })
  end
end

rounds { |round| 600.times { |n| TempFile.new("upload-#{round}-#{n}") } }
