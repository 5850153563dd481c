import java.util.concurrent.CompletableFuture;

/** Work is chained to a future that is never completed. */
class NeverReady {
  static class Enrichment {
    final String customer;
    final double[] scores = new double[40];
    Enrichment(int n) { customer = "customer-" + n; }
    void apply(String model) { scores[0] = model.length(); }
  }
  static class ModelService {
    private final CompletableFuture<String> modelLoaded = new CompletableFuture<>();
    void enrich(Enrichment enrichment) { modelLoaded.thenAccept(enrichment::apply); }
  }
  static final ModelService MODELS = new ModelService();

  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 900; i++) MODELS.enrich(new Enrichment(count[0]++)); });
  }
}
