# Fragments of pages are kept up to 400, by template and version; versions change, and the oldest go.
require_relative 'rounds'

class Fragment
  def initialize(key)
    @html = "<div id='#{key}'>" * 4
  end
end

class FragmentStore
  LIMIT = 400

  def initialize
    @fragments = {}
  end

  def fetch(key)
    @fragments[key] = @fragments.delete(key) || Fragment.new(key)
    @fragments.shift if @fragments.size > LIMIT
    @fragments[key]
  end
end

store = FragmentStore.new
load = [3000, 4500, 2600, 5200]
rounds { |round| load[round].times { |n| store.fetch("template-#{n % 700}-v#{round}") } }
