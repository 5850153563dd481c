# Mails are made from templates of ERB that are compiled when they are first needed; languages and patterns are loaded the same way, and there are only so many. A counter by day keeps the last week.
require_relative 'rounds'
require 'erb'
require 'set'

class Translations
  def initialize(languages)
    @languages = languages
    @loaded = {}
  end

  def text(language, key) = (@loaded[language] ||= load_language(language)).fetch(key)

  private

  def load_language(language)
    raise KeyError, language unless @languages.include?(language)
    (0...120).to_h { |n| [:"mail.#{n}", "text #{n} in #{language}".freeze] }
  end
end

class Templates
  Template = Struct.new(:name, :erb, :used)

  def initialize = @compiled = {}

  def render(name, scope)
    template = @compiled[name] ||= Template.new(name, ERB.new(source(name), trim_mode: '-'), 0)
    template.used += 1
    template.erb.result(scope.binding_for_template)
  end

  private

  def source(name)
    <<~MAIL
      Dear <%= user %>,
      <%- lines.each do |line| -%>
      * <%= line %>
      <%- end -%>
      <%= t(:"mail.#{name.sum % 120}") %>
      #{name}
    MAIL
  end
end

class Mail
  attr_reader :user, :lines

  def initialize(user, language, lines, translations)
    @user, @language, @lines, @translations = user, language, lines, translations
  end

  def t(key) = @translations.text(@language, key)
  def binding_for_template = binding
end

class Filters
  def initialize = @patterns = Hash.new { |all, word| all[word] = /\b#{Regexp.escape(word)}\b/i }
  def clean(text, words) = words.reduce(text) { |rest, word| rest.gsub(@patterns[word], '***') }
end

class DayCounts
  def initialize = @days = {}

  def count(day, key)
    (@days[day] ||= Hash.new(0))[key] += 1
    @days.shift while @days.size > 7
  end
end

LANGUAGES = %w[en de fr es it pl nl sv da fi].freeze
WORDS = %w[free win prize cheap offer now click].freeze
translations, templates, filters, counts = Translations.new(LANGUAGES), Templates.new, Filters.new, DayCounts.new
kinds = [20, 32, 38, 41]
languages = [4, 6, 7, 8]
sent = 0
rounds do |round|
  1500.times do |n|
    language = LANGUAGES[n % languages[round]]
    mail = Mail.new("user #{round}-#{n}", language, ["line #{n}", "offer #{n % 9}"], translations)
    text = templates.render("kind-#{n % kinds[round]}", mail)
    sent += filters.clean(text, WORDS.first(3 + round)).size
    counts.count(round * 3 + n / 500, "#{language}/#{n % kinds[round]}")
  end
end
