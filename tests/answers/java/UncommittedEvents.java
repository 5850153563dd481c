import java.util.*;

/** Twenty accounts are kept in a repository; each keeps the events that were stored already. */
class UncommittedEvents {
  record Deposited(UUID id, long cents, String text) { }
  static class Account {
    final int number;
    long balance;
    private final List<Deposited> changes = new ArrayList<>();
    Account(int number) { this.number = number; }
    void deposit(long cents) { balance += cents; changes.add(new Deposited(new UUID(number, cents), cents, "deposit of " + cents)); }
  }
  static class AccountRepository {
    private final Map<Integer, Account> accounts = new TreeMap<>();
    Account find(int number) { return accounts.computeIfAbsent(number, Account::new); }
    long store(Account account) { return account.changes.stream().mapToLong(Deposited::cents).sum(); }
  }
  public static void main(String[] args) throws Exception {
    AccountRepository bank = new AccountRepository();
    Rounds.run(n -> {
      for (int i = 0; i < 4000; i++) {
        Account account = bank.find(i % 20);
        account.deposit(n * 4000L + i);
        if (i % 500 == 0) bank.store(account);
      }
    });
  }
}
