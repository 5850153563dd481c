import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Quotes are cached by their request, which has a time in it, in a cache of Guava that has no bound. Carts are beside it. */
public class QuoteRequests {
  static final class QuoteRequest {
    final String article;
    final int count;
    final long requestedAt;

    QuoteRequest(String article, int count, long requestedAt) {
      this.article = article;
      this.count = count;
      this.requestedAt = requestedAt;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof QuoteRequest that && that.article.equals(article) && that.count == count && that.requestedAt == requestedAt;
    }

    @Override
    public int hashCode() {
      return Objects.hash(article, count, requestedAt);
    }
  }

  record Quote(String text, long cents) { }

  static final class Quoting {
    private final Cache<QuoteRequest, Quote> quotes = CacheBuilder.newBuilder().recordStats().build();

    Quote quote(QuoteRequest request) throws Exception {
      return quotes.get(request, () -> new Quote(request.count + " of " + request.article, request.count * 130L));
    }
  }

  public static void main(String[] arguments) throws Exception {
    Quoting quoting = new Quoting();
    Map<Integer, Quote> carts = new HashMap<>();
    int[] together = {100, 180, 260, 340};
    long[] clock = {1_700_000_000_000L};
    Rounds.run(round -> {
      for (int n = 0; n < 2_500; n++) {
        Quote quote = quoting.quote(new QuoteRequest("article " + n % 60, 1 + n % 9, clock[0] += 7));
        carts.put(n % together[round], quote);
      }
    });
  }
}
