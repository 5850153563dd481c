# Measurements of the last minutes; the old ones go.
require_relative 'rounds'

Measurement = Struct.new(:at, :value, :tags)

class Window
  def initialize(length)
    @length = length
    @measurements = []
  end

  def add(at, value)
    @measurements << Measurement.new(at, value, ["host-#{value % 7}"])
    @measurements.shift while @measurements.first.at < at - @length
  end
end

window = Window.new(1500)
clock = 0
rounds { |_| 4000.times { |n| window.add(clock += 1, n) } }
