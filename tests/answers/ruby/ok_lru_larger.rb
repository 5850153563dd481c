# LRU of 200 documents, full; later ones are larger.
require_relative 'rounds'
class Block
  def initialize(text) = @text = text
end
class Doc
  def initialize(n, size) = (@id = n; @blocks = Array.new(size) { |i| Block.new("block #{i} of document #{n}, with a long text") })
end
CACHE = {}
n = 0
rounds { |round| 400.times { CACHE[n += 1] = Doc.new(n, 6 + 3 * round); CACHE.delete(CACHE.first[0]) if CACHE.size > 200 } }
