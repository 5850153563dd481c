# A cache of bounded size, full since the first round.
require_relative 'rounds'

class Page
  def initialize(path)
    @path = path
    @body = "<h1>#{path}</h1>" * 8
  end
end

class PageCache
  def initialize(most)
    @most = most
    @pages = {}
  end

  def fetch(path)
    page = @pages.delete(path) || Page.new(path)
    @pages[path] = page
    @pages.shift if @pages.size > @most
    page
  end
end

CACHE = PageCache.new(2000)
rounds { |round| 5000.times { |n| CACHE.fetch("/page/#{round}/#{n}") } }
