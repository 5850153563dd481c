# A form of each tenant is a class without a name; its parent keeps a list of all classes that came from it, as old libraries do.
require_relative 'rounds'

module DescendantsTracker
  DIRECT = {}

  def inherited(child)
    super
    (DIRECT[self] ||= []) << child
  end
end

class Form
  extend DescendantsTracker

  class << self
    def fields = @fields ||= {}
    def field(name, kind) = fields[name] = { kind: kind, label: "label of #{name}", hint: "hint of #{name}" }
  end

  def initialize(values) = @values = values
  def valid? = self.class.fields.keys.all? { |name| @values.key?(name) }
end

class TenantForms
  def initialize = @checked = 0

  def check(tenant, values)
    form = Class.new(Form) { values.each_key { |name| field("#{tenant} #{name}", :text) } }
    @checked += 1 unless form.new(values).valid?
  end
end

forms = TenantForms.new
rounds { |round| 150.times { |n| forms.check("tenant-#{round}-#{n}", { name: 'x', street: 'y', town: 'z', country: 'w' }) } }
