# Tokens of users are signed with a key that is derived from a salt for each user; the generator remembers all keys.
require_relative 'rounds'
require 'active_support'
require 'active_support/key_generator'
require 'active_support/message_verifier'

class UserTokens
  def initialize(secret)
    @keys = ActiveSupport::CachingKeyGenerator.new(ActiveSupport::KeyGenerator.new(secret, iterations: 1))
    @issued = 0
  end

  def issue(user, purpose)
    @issued += 1
    verifier(user, purpose).generate({ user: user, at: @issued })
  end

  def read(user, purpose, token)
    verifier(user, purpose).verified(token)
  end

  private

  def verifier(user, purpose)
    ActiveSupport::MessageVerifier.new(@keys.generate_key("#{purpose} of user #{user}", 64))
  end
end

class PasswordMails
  Mail = Struct.new(:to, :link)

  def initialize(tokens)
    @tokens = tokens
    @last = []
  end

  def send_to(user)
    @last << Mail.new("user#{user}@shop.example", "https://shop.example/reset/#{@tokens.issue(user, 'reset')}")
    @last.shift if @last.size > 50
  end
end

tokens = UserTokens.new('b1b2' * 16)
mails = PasswordMails.new(tokens)
user = 0
rounds do
  1500.times do
    user += 1
    mails.send_to(user)
    token = tokens.issue(user, 'session')
    raise 'wrong' unless tokens.read(user, 'session', token)[:user] == user
  end
end
