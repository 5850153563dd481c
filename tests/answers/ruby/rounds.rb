# Calls the block four times (or one more than ROUNDS says), and takes a dump after each call but the first, which warms up.
require 'objspace'

def rounds
  (ENV.fetch('ROUNDS', '3').to_i + 1).times do |round|
    yield round
    next if round.zero?
    GC.start
    File.open("#{ARGV[0]}-#{round}.json", 'w') { |file| ObjectSpace.dump_all(output: file) }
  end
  exit!(true)
end
