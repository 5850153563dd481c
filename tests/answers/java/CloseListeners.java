import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Requests on a few connections that stay: each adds a listener for the end of its connection, and none is taken away (helidon-io/helidon#3853, ReactiveX/RxNetty#402). More requests wait from round to round. */
public class CloseListeners {
  static class Exchange {
    final long number;
    final String question;
    final List<String> headers = new ArrayList<>();
    boolean broken;

    Exchange(long number, String question) {
      this.number = number;
      this.question = question;
      headers.add("host: shop-" + number % 9);
      headers.add("trace: " + number);
    }
  }

  static class Gateway extends SimpleChannelInboundHandler<String> {
    final ArrayDeque<Exchange> waiting = new ArrayDeque<>();
    int most;
    long number;

    @Override
    protected void channelRead0(ChannelHandlerContext context, String line) {
      Exchange exchange = new Exchange(number++, line);
      context.channel().closeFuture().addListener(closed -> exchange.broken = true);
      waiting.add(exchange);
      while (waiting.size() > most) context.writeAndFlush("answer " + waiting.poll().number + "\n");
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] together = {10, 20, 30, 40};
    List<EmbeddedChannel> connections = new ArrayList<>();
    for (int n = 0; n < 8; n++) {
      connections.add(new EmbeddedChannel(new LineBasedFrameDecoder(200), new StringDecoder(StandardCharsets.UTF_8), new StringEncoder(StandardCharsets.UTF_8), new Gateway()));
    }
    Rounds.run(round -> {
      for (int n = 0; n < 2_000; n++) {
        EmbeddedChannel connection = connections.get(n % connections.size());
        connection.pipeline().get(Gateway.class).most = together[round];
        connection.writeInbound(Unpooled.copiedBuffer("price of article " + n % 300 + "\n", StandardCharsets.UTF_8));
        for (Object out = connection.readOutbound(); out != null; out = connection.readOutbound()) io.netty.util.ReferenceCountUtil.release(out);
      }
    });
  }
}
