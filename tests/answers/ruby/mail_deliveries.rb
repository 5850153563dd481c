# Mails are delivered by the way that is meant for tests: each is added to a list of the class, which nobody reads.
require_relative 'rounds'

module Delivery
  class TestWay
    def self.deliveries = @deliveries ||= []
    def initialize(settings) = @settings = settings
    def deliver(mail) = self.class.deliveries << mail
  end
end

class Mail
  attr_reader :to, :headers, :parts

  def initialize(to, subject)
    @to = to
    @headers = { 'Subject' => subject, 'From' => 'shop@example.org', 'To' => to }
    @parts = [Part.new('text/plain', "Dear #{to}, #{subject}"), Part.new('text/html', "<p>Dear #{to}</p><p>#{subject}</p>")]
  end
end

class Part
  def initialize(kind, text)
    @kind = kind
    @text = text
  end
end

class OrderMailer
  def initialize(way) = @way = way
  def paid(order) = @way.deliver(Mail.new("customer-#{order}@example.org", "order #{order} is paid"))
end

mailer = OrderMailer.new(Delivery::TestWay.new({ host: 'localhost' }))
rounds { |round| 400.times { |n| mailer.paid("#{round}-#{n}") } }
