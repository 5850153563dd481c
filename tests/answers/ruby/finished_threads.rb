# A pool keeps each thread that it started, with the value that the thread gave.
require_relative 'rounds'

class Rendered
  def initialize(page)
    @page = page
    @lines = Array.new(20) { |n| "line #{n} of #{page}" }
  end
end

class RenderPool
  def initialize
    @workers = []
  end

  def render(page)
    @workers << Thread.new { Rendered.new(page) }
    @workers.last.join
  end
end

class Site
  def pool
    @pool ||= RenderPool.new
  end
end

site = Site.new
rounds { |round| 120.times { |n| site.pool.render("page-#{round}-#{n}") } }
