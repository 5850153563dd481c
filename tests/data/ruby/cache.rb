# A leak in a class-level Hash: every lookup of a page stays in Catalog's @cache. ruby cache.rb PREFIX [trace]; two dumps
require 'objspace'
PREFIX, *OPT = (defined?($args) && $args) || ARGV
class Product; def initialize(id) = (@id = id; @name = "Product number #{id}"; @tags = ["tag #{id % 7}", "tag #{id % 3}"]); end
class Page; def initialize(key, items) = (@key = key; @items = items; @html = "<ul>" + "<li>row of a page</li>" * 20 + "</ul>"); end
class Catalog
  @cache = {}
  class << self
    def lookup(q) = @cache[q] ||= build(q)
    def build(q) = Page.new(q, Array.new(4) { |i| Product.new(q.hash % 1000 + i) })
  end
end
class Server; def handle(n) = Catalog.lookup("/products?page=#{n}&session=#{n * 7919}"); end
if OPT.include?('trace')
  ObjectSpace.trace_object_allocations_start
end
S = Server.new
def shot(n)
  GC.start
  File.open("#{PREFIX}-#{n}.json", 'w') { |f| ObjectSpace.dump_all(output: f) }
end
30.times { |i| S.handle(i) }; shot(1)
(30...90).each { |i| S.handle(i) }; shot(2)
