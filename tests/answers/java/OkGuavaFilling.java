import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.util.ArrayDeque;

/** Customers are cached up to 20,000 by Guava, of which a third is used in the last dump; the calls of them come and go. */
public class OkGuavaFilling {
  static final class Customer {
    final int id;
    final String name;
    final String[] addresses;

    Customer(int id) {
      this.id = id;
      name = "customer " + id;
      addresses = new String[] {"street " + id % 100, "city " + id % 30};
    }
  }

  static final class Call {
    final Customer customer;
    final StringBuilder notes = new StringBuilder();

    Call(Customer customer) {
      this.customer = customer;
    }
  }

  static final class CallCentre {
    final LoadingCache<Integer, Customer> customers = CacheBuilder.newBuilder().maximumSize(20_000).concurrencyLevel(2).build(
        new CacheLoader<>() {
          @Override
          public Customer load(Integer id) {
            return new Customer(id);
          }
        });
    final ArrayDeque<Call> calls = new ArrayDeque<>();

    void ring(int id, int most) {
      Call call = new Call(customers.getUnchecked(id));
      call.notes.append("called by ").append(id);
      calls.add(call);
      while (calls.size() > most) calls.poll();
    }
  }

  public static void main(String[] arguments) throws Exception {
    CallCentre centre = new CallCentre();
    int[] last = {0};
    Rounds.run(round -> {
      for (int n = 0; n < 2_500; n++) centre.ring(n % 3 == 0 ? n % 200 : last[0]++, 20 + 10 * round);
    });
  }
}
