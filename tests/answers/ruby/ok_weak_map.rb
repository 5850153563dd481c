# What is worked out for a document is in a WeakMap, and goes with the document; forty documents are open.
require_relative 'rounds'

Document = Struct.new(:name, :lines)
outlines = ObjectSpace::WeakMap.new
open = []
rounds do |round|
  1500.times do |n|
    document = Document.new("#{round}-#{n}", Array.new(10) { |i| "line #{i}" })
    outlines[document] = document.lines.first(3)
    open << document
    open.shift if open.size > 40
  end
end
