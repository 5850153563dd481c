# A shop with Sinatra in its first minutes: templates are compiled, statements prepared, a cache with a limit fills up, and
# each round has more requests than the one before.
require_relative 'rounds'
require 'sinatra/base'
require 'sequel'
require 'logger'
require 'stringio'
require 'active_support'
require 'active_support/notifications'
require 'active_support/cache'
require 'concurrent'

DB = Sequel.sqlite
DB.create_table(:articles) do
  primary_key :id
  String :title
  Integer :cents
end
DB.create_table(:visits) do
  primary_key :id
  Integer :article_id
end
DB[:articles].multi_insert(Array.new(600) { |id| { title: "Chair #{id}", cents: 4_900 + id } })

class Article < Sequel::Model
  def price = format('%.2f', cents / 100.0)
end

class Visit < Sequel::Model
  many_to_one :article
end

CACHE = ActiveSupport::Cache::MemoryStore.new(size: 256 * 1024)
COUNTS = Concurrent::Map.new
ActiveSupport::Notifications.subscribe('request.shop') do |_name, started, finished, _id, payload|
  COUNTS.compute(payload[:route]) { |old| (old || 0) + 1 }
  CACHE.write('last', finished - started)
end

class Shop < Sinatra::Base
  set :environment, :production
  set :logging, false
  enable :inline_templates

  template(:article) { '<h1><%= @article.title %></h1><p><%= @article.price %></p><%= erb :similar %>' }
  template(:similar) { '<ul><% @similar.each do |other| %><li><%= other.title %></li><% end %></ul>' }
  template(:list) { '<ol><% @articles.each do |article| %><li><%= article.title %></li><% end %></ol>' }

  get '/articles/:id' do
    ActiveSupport::Notifications.instrument('request.shop', route: 'article') do
      @article = Article[params[:id].to_i + 1]
      @similar = CACHE.fetch("similar #{@article.id}") { Article.where(cents: @article.cents - 5..@article.cents + 5).limit(3).all }
      Visit.create(article_id: @article.id)
      Visit.where { id < Visit.max(:id) - 50 }.delete
      erb :article
    end
  end

  get '/lists/:page' do
    ActiveSupport::Notifications.instrument('request.shop', route: 'list') do
      @articles = Article.order(:title).limit(20, params[:page].to_i * 20).all
      erb :list
    end
  end
end

client = Rack::MockRequest.new(Shop)
random = Random.new(4)
rounds do |round|
  (200 + 80 * round).times do |i|
    path = i % 10 == 9 ? "/lists/#{random.rand(30)}" : "/articles/#{(600 * random.rand**3).to_i}"
    answer = client.get(path, 'HTTP_HOST' => 'localhost')
    raise answer.body unless answer.status == 200
  end
end
