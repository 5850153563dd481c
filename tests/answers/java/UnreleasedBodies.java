import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ResourceLeakDetector;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Messages of sensors come in frames; the handler that knows an old kind returns without giving the frame back to the pool. */
public class UnreleasedBodies {
  /** A pool of its own, on the heap, with chunks of a megabyte. */
  static final PooledByteBufAllocator POOL = new PooledByteBufAllocator(false, 1, 0, 8192, 7);

  static class SensorHandler extends ChannelInboundHandlerAdapter {
    private final AtomicLong sum;

    SensorHandler(AtomicLong sum) { this.sum = sum; }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf frame = (ByteBuf) message;
      int kind = frame.readInt();
      if (kind == 1) return;
      sum.addAndGet(frame.readInt());
      frame.release();
    }
  }

  static ByteBuf message(int kind, int value) {
    byte[] text = ("{\"sensor\": \"s" + value % 40 + "\", \"value\": " + value + ", \"trace\": \"" + "x".repeat(6000) + "\"}")
        .getBytes(StandardCharsets.UTF_8);
    ByteBuf out = POOL.heapBuffer(12 + text.length);
    out.writeInt(8 + text.length).writeInt(kind).writeInt(value).writeBytes(text);
    return out;
  }

  public static void main(String[] arguments) throws Exception {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    AtomicLong sum = new AtomicLong();
    int[] value = {0};
    Rounds.run(round -> {
      for (int connection = 0; connection < 50; connection++) {
        EmbeddedChannel channel = new EmbeddedChannel(new LengthFieldBasedFrameDecoder(65536, 0, 4, 0, 4), new SensorHandler(sum));
        channel.config().setAllocator(POOL);
        for (int i = 0; i < 40; i++) {
          int n = value[0]++;
          channel.writeInbound(message(n % 4 == 0 ? 1 : 2, n));
        }
        channel.finishAndReleaseAll();
      }
    });
  }
}
