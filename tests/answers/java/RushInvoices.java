import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Invoices are made for orders. Open orders become more and are worked off, a cache of customers fills up to its limit. Invoices that
 * could not be sent are put into the list of their day, which nobody reads.
 */
public class RushInvoices {
  record Order(String number, String customer, int cents) {}

  record Customer(String name, String street, List<String> marks) {}

  static class Invoice {
    final String number;
    final Customer customer;
    String state = "new";

    Invoice(String number, Customer customer) {
      this.number = number;
      this.customer = customer;
    }
  }

  static class Billing {
    private final ArrayDeque<Order> open = new ArrayDeque<>();
    private final Cache<String, Customer> customers = Caffeine.newBuilder().maximumSize(900).executor(Runnable::run).build();
    private final Map<Integer, List<Invoice>> unsent = new HashMap<>();
    private int made;

    void order(String number, String customer, int cents) { open.add(new Order(number, customer, cents)); }

    void work(int day, int most) {
      while (open.size() > most) {
        Order order = open.poll();
        Customer customer = customers.get(order.customer(), name -> new Customer(name, "street of " + name, List.of("m" + name.length(), "n")));
        Invoice invoice = new Invoice("invoice " + made++, customer);
        invoice.state = made % 8 == 0 ? "failed" : "sent";
        if (invoice.state.equals("failed")) unsent.computeIfAbsent(day % 7, key -> new ArrayList<>()).add(invoice);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    Billing billing = new Billing();
    int[] most = {200, 400, 600, 800};
    Rounds.run(round -> {
      for (int n = 0; n < 5_000; n++) {
        billing.order("order-" + round + "-" + n, "customer " + (n * 31 + round * 300) % 2_000, n % 900);
        billing.work(n / 500, most[round]);
      }
    });
  }
}
