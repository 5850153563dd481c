# One tenant's recent hash is never trimmed.
require_relative 'rounds'
class Visit
  def initialize(n) = (@n = n; @page = "/page/#{n} of the site of the tenant of the shop")
end
class Tenant
  def initialize(name, keep) = (@name = name; @keep = keep; @recent = {})
  def visit(n)
    @recent["visit #{n}"] = Visit.new(n)
    @recent.shift if @recent.size > @keep
  end
end
TENANTS = {}
40.times { |i| TENANTS["t#{i}"] = Tenant.new("t#{i}", 25) }
TENANTS['acme'] = Tenant.new('acme', 10_000_000)
n = 0
rounds { 400.times { TENANTS['acme'].visit(n += 1) }; 1600.times { n += 1; TENANTS["t#{n % 40}"].visit(n) } }
