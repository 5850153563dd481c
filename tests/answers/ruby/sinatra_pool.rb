# A shop with Sinatra whose sessions are in the memory of the process; clients without a cookie begin one for each request.
require_relative 'rounds'
require 'sinatra/base'
require 'rack/session/pool'
require 'rack/mock'

class Shop < Sinatra::Base
  set :environment, :production
  set :logging, false
  set :protection, except: :session_hijacking
  use Rack::Session::Pool, key: 'shop.session'

  Article = Struct.new(:id, :title, :cents)
  ARTICLES = Array.new(200) { |id| Article.new(id, "Chair #{id}", 4_900 + id) }

  helpers do
    def seen
      session[:seen] ||= []
    end

    def basket
      session[:basket] ||= { lines: [], language: request.env['HTTP_ACCEPT_LANGUAGE'].to_s.dup }
    end
  end

  get '/articles/:id' do
    article = ARTICLES.fetch(params[:id].to_i)
    seen << article.id
    "<h1>#{article.title}</h1> seen #{seen.size}, basket #{basket[:lines].size}"
  end

  post '/basket/:id' do
    basket[:lines] << { article: params[:id].to_i, amount: 1 }
    redirect to('/'), 303
  end
end

client = Rack::MockRequest.new(Shop)
n = 0
rounds do
  900.times do
    n += 1
    answer = client.get("/articles/#{n % 200}", 'HTTP_ACCEPT_LANGUAGE' => 'de-DE,de;q=0.8', 'HTTP_HOST' => 'localhost')
    raise answer.body unless answer.status == 200
  end
end
