# Views are compiled by ERB when they are first shown; there are 50 of them, and rare ones come late. The last 400 visits are kept.
require_relative 'rounds'
require 'erb'

class Views
  def initialize
    @compiled = {}
    @visits = []
  end

  def show(name, user)
    view = @compiled[name] ||= compile(name)
    @visits << { view: name, user: user, length: view.result_with_hash(user: user, lines: %w[one two]).length }
    @visits.shift if @visits.size > 400
  end

  private

  def compile(name)
    ERB.new("<h1>#{name}</h1>" + (1..30).map { |n| "<p class='c#{n}'><%= user %> of #{name}, <%= lines[#{n % 2}] %></p>" }.join("\n"))
  end
end

views = Views.new
known = [20, 30, 38, 44]
round = -1
rounds do
  round += 1
  600.times { |n| views.show("view #{n % known[round]}", "user #{n % 70}") }
end
