# At each request the logger of the application is wrapped once more, with a tag of the request.
require_relative 'rounds'

class PlainLogger
  def add(text) = text.size
end

class TaggedLogger
  def initialize(logger, tag)
    @logger = logger
    @tag = tag
    @lines = ["#{tag} begins", "#{tag} ends"]
  end

  def add(text) = @lines.size + text.size
end

class Shop
  class << self
    attr_accessor :logger
  end
end
Shop.logger = PlainLogger.new

rounds do |round|
  800.times do |n|
    Shop.logger = TaggedLogger.new(Shop.logger, "request #{round}-#{n}")
    Shop.logger.add('asked')
  end
end
