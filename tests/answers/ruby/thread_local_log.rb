# Worker thread keeps its own trail in Thread.current[:trail].
require_relative 'rounds'
class Step
  def initialize(name) = (@name = "step #{name} of the import that runs each night"; @state = :done)
end
queue = Queue.new
done = Queue.new
Thread.new do
  Thread.current[:trail] = []
  while (job = queue.pop)
    Thread.current[:trail] << Step.new(job)
    done << job
  end
end
n = 0
rounds { 400.times { queue << (n += 1) }; 400.times { done.pop } }
