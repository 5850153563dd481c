import java.lang.management.ManagementFactory;
import javax.management.*;

/** A bean shows each pool to the operators, also when the pool is closed. */
public class JmxBeans {
  public interface PoolStatsMBean { int getIdle(); }
  public static class PoolStats implements PoolStatsMBean {
    private final int[] history = new int[120];
    public int getIdle() { return history[0]; }
  }
  public static void main(String[] args) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Rounds.run(n -> {
      for (int i = 0; i < 200; i++) server.registerMBean(new PoolStats(), new ObjectName("shop:type=Pool,name=pool-" + n + "-" + i));
    });
  }
}
