import java.util.*;

/** An invoice begins as a copy of a template, and the copy has the template's own list of lines. */
class SharedTemplate {
  static class Invoice {
    String number;
    String customer;
    List<Line> lines = new ArrayList<>();
    Invoice copy() {
      Invoice copy = new Invoice();
      copy.customer = customer;
      copy.lines = lines;
      return copy;
    }
  }
  record Line(String article, int count, long cents) { }
  static class InvoiceService {
    private final Invoice template = new Invoice();
    InvoiceService() { template.lines.add(new Line("shipping", 1, 490)); }
    Invoice bill(String number, String customer, List<String> articles) {
      Invoice invoice = template.copy();
      invoice.number = number;
      invoice.customer = customer;
      for (String article : articles) invoice.lines.add(new Line(article + " for " + customer, 1, 1000));
      return invoice;
    }
  }
  static final InvoiceService INVOICES = new InvoiceService();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 1200; i++) INVOICES.bill(n + "/" + i, "customer " + i, List.of("chair", "table", "lamp")); });
  }
}
