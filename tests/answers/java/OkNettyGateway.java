import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Sensors connect, send lines and leave, while as many others come: more at each dump, and none stays. */
public class OkNettyGateway {
  static final ChannelGroup ONLINE = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  static class Lines extends SimpleChannelInboundHandler<String> {
    private int lines;

    @Override
    public void channelActive(ChannelHandlerContext context) { ONLINE.add(context.channel()); }

    @Override
    protected void channelRead0(ChannelHandlerContext context, String line) {
      lines++;
      context.writeAndFlush("ok " + lines + " " + line.length() + "\n");
    }
  }

  static class Answers extends SimpleChannelInboundHandler<String> {
    private final CountDownLatch latch;

    Answers(CountDownLatch latch) { this.latch = latch; }

    @Override
    protected void channelRead0(ChannelHandlerContext context, String line) { latch.countDown(); }
  }

  public static void main(String[] arguments) throws Exception {
    DefaultEventLoopGroup loops = new DefaultEventLoopGroup(3);
    LocalAddress address = new LocalAddress("sensors");
    new ServerBootstrap().group(loops).channel(LocalServerChannel.class).childHandler(new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new IdleStateHandler(60, 0, 0, TimeUnit.SECONDS), new LineBasedFrameDecoder(8192), new StringDecoder(),
            new StringEncoder(), new Lines());
      }
    }).bind(address).sync();
    List<Channel> open = new ArrayList<>();
    Rounds.run(round -> {
      // Those of the round before leave; this time more come.
      for (Channel channel : open) channel.close().sync();
      open.clear();
      int sensors = 150 + 50 * round;
      CountDownLatch latch = new CountDownLatch(sensors * 10);
      for (int i = 0; i < sensors; i++) {
        ChannelFuture future = new Bootstrap().group(loops).channel(LocalChannel.class).handler(new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new LineBasedFrameDecoder(8192), new StringDecoder(), new StringEncoder(), new Answers(latch));
          }
        }).connect(address).sync();
        open.add(future.channel());
        for (int line = 0; line < 10; line++) future.channel().writeAndFlush("temperature " + i + " " + line + "\n");
      }
      latch.await();
    });
  }
}
