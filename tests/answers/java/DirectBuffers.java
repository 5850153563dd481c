import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Frames of video are direct buffers: the heap has little of them. */
class DirectBuffers {
  static class FrameQueue {
    final Deque<ByteBuffer> frames = new ArrayDeque<>();
  }

  static final FrameQueue QUEUE = new FrameQueue();

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 20; i++) QUEUE.frames.add(ByteBuffer.allocateDirect(100_000));
    });
  }
}
