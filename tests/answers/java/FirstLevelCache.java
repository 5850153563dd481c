import java.util.*;

/** One session of a mapper of objects serves the whole program: it knows each entity it ever read, and its values then. */
class FirstLevelCache {
  record EntityKey(String entity, long id) { }
  static class Invoice { final long id; String customer; Invoice(long id) { this.id = id; this.customer = "customer " + id; } }
  static class PersistenceContext {
    final Map<EntityKey, Object> entitiesByKey = new HashMap<>();
    final Map<Object, Object[]> loadedState = new IdentityHashMap<>();
  }
  static class Session {
    final PersistenceContext context = new PersistenceContext();
    Invoice find(long id) {
      return (Invoice) context.entitiesByKey.computeIfAbsent(new EntityKey("Invoice", id), key -> {
        Invoice invoice = new Invoice(id);
        context.loadedState.put(invoice, new Object[] {id, invoice.customer});
        return invoice;
      });
    }
  }
  static class InvoiceRepository { final Session session = new Session(); }
  static final InvoiceRepository INVOICES = new InvoiceRepository();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 3000; i++) INVOICES.session.find(n * 3000L + i); });
  }
}
