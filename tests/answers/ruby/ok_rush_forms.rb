# Drafts of forms end after an hour, fragments of pages are cached up to 2,000 and the cache fills, counters are by form and outcome. The load
# rises.
require_relative 'rounds'

Draft = Struct.new(:token, :form, :fields, :until)

class FragmentCache
  def initialize(limit)
    @limit = limit
    @fragments = {}
  end

  def fetch(key)
    value = @fragments.delete(key) || yield
    @fragments[key] = value
    @fragments.shift if @fragments.size > @limit
    value
  end
end

class Forms
  def initialize
    @drafts = {}
    @cache = FragmentCache.new(2000)
    @counts = Hash.new { |counts, form| counts[form] = Hash.new(0) }
    @clock = 0
  end

  def begin(number, lifetime)
    @clock += 1
    form = "form #{number % 25}"
    draft = Draft.new("token #{number}", form, { name: "name #{number}", age: number % 90 }, @clock + lifetime)
    @drafts[draft.token] = draft
    @cache.fetch("#{form}/#{number % 3 == 0 ? number : number % 40}") { "<form><h1>#{form}</h1>#{'<input>' * 8}#{number}</form>" }
    @counts[form][number.even? ? 'begun' : 'again'] += 1
    @drafts.delete_if { |_, old| old.until < @clock } if (number % 20).zero?
  end
end

forms = Forms.new
number = 0
round = -1
rounds do
  round += 1
  1200.times { forms.begin(number += 1, 100 + 120 * round) }
end
