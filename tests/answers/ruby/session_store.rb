# Sessions in the memory of a Rack application; health checks make one each.
require_relative 'rounds'
require 'securerandom'

class Session
  def initialize(id)
    @id = id
    @values = { 'locale' => 'de', 'flash' => ["welcome #{id}"] }
  end
end

class SessionMiddleware
  def initialize(app)
    @app = app
    @pool = {}
  end

  def call(env)
    id = env['session'] || SecureRandom.hex
    @pool[id] ||= Session.new(id)
    @app.call(env)
  end
end

class Router
  def call(env)
    [200, {}, [env['path']]]
  end
end

app = SessionMiddleware.new(Router.new)
rounds { |round| 1500.times { |n| app.call({ 'path' => "/health/#{n}" }) } }
