import java.io.*;
import java.util.*;
import javax.xml.parsers.*;
import org.w3c.dom.*;

/** The title of each order is kept as the element it was read from, which keeps its whole document. */
class KeptElements {
  static class OrderIndex {
    final Map<Integer, Element> titles = new HashMap<>();
    private final DocumentBuilder parser;
    OrderIndex() throws Exception { parser = DocumentBuilderFactory.newInstance().newDocumentBuilder(); }
    void read(int id, String xml) throws Exception {
      Document document = parser.parse(new ByteArrayInputStream(xml.getBytes()));
      titles.put(id, (Element) document.getElementsByTagName("title").item(0));
    }
  }
  static String order(int id) {
    StringBuilder xml = new StringBuilder("<order><title>Order " + id + "</title>");
    for (int i = 0; i < 30; i++) xml.append("<line n='").append(i).append("'>item ").append(i).append("</line>");
    return xml.append("</order>").toString();
  }
  public static void main(String[] args) throws Exception {
    OrderIndex index = new OrderIndex();
    int[] id = {0};
    Rounds.run(n -> { for (int i = 0; i < 150; i++) index.read(id[0], order(id[0]++)); });
  }
}
