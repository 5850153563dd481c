# Forms are checked by rules that stand at their class; a form for a tenant adds its rule, and adds it to the class of all (class_attribute of
# Active Support). Drafts become more.
require 'active_support'
require 'active_support/core_ext/class/attribute'
require_relative 'rounds'

class Form
  class_attribute :rules, default: []

  attr_reader :values

  def initialize(values)
    @values = values
  end

  def check_for(tenant)
    self.class.rules += [->(form) { form.values[:amount] <= tenant[:limit] }]
    rules.all? { |rule| rule.call(self) }
  end
end

class Desk
  def initialize
    @drafts = {}
    @refused = 0
  end

  def draft(number, most)
    tenant = { name: "tenant #{number}", limit: 100_000, country: 'NO' }
    form = Form.new(amount: number % 900, note: "draft #{number}")
    @refused += 1 unless form.check_for(tenant)
    @drafts[number] = form
    @drafts.shift while @drafts.size > most
  end
end

desk = Desk.new
number = 0
round = -1
rounds do
  round += 1
  500.times { desk.draft(number += 1, 40 * (round + 1)) }
end
