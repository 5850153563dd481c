# What a request has looked up is kept until it ends; how much that is when one looks differs.
require_relative 'rounds'

class Permission
  def initialize(user, action)
    @user = user
    @action = action
    @reasons = Array.new(4) { |n| "rule #{n} for #{user}" }
  end
end

class CurrentRequest
  class << self
    def memo = Thread.current[:memo] ||= {}
    def reset = Thread.current[:memo] = {}
  end
end

class Policy
  def allowed(user, action) = CurrentRequest.memo[[user, action]] ||= Permission.new(user, action)
end

policy = Policy.new
rounds do |round|
  400.times do |n|
    CurrentRequest.reset
    [30, 18, 26, 22][round].times { |item| policy.allowed("user-#{n}", "show-#{item}") }
  end
end
