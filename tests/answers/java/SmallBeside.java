import java.util.*;

/** A large dictionary is loaded once. Words that nobody found are noted, a small part of the heap. */
class SmallBeside {
  static class Word { final String text; final int[] pages; Word(String text, int n) { this.text = text; pages = new int[8 + n % 8]; } }
  static class Missing { final String text; final long when; Missing(String text, long when) { this.text = text; this.when = when; } }
  static class Dictionary {
    private final Map<String, Word> words = new HashMap<>();
    private final Deque<Missing> notFound = new ArrayDeque<>();
    Dictionary(int size) { for (int i = 0; i < size; i++) words.put("word" + i, new Word("word" + i, i)); }
    Word find(String text) {
      Word word = words.get(text);
      if (word == null) notFound.add(new Missing(text, System.nanoTime()));
      return word;
    }
  }
  static final Dictionary DICTIONARY = new Dictionary(90000);

  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 4000; i++) DICTIONARY.find("unknown" + count[0]++); });
  }
}
