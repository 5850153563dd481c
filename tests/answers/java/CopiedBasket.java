import java.util.*;
/** Copy-on-write with mutable class and texts made anew (new String). */
public class CopiedBasket {
  static final class Item { String sku; int count; Item(String s, int c) { sku = s; count = c; } Item copy() { return new Item(new String(sku.getBytes()), count); } }
  static final class Basket { List<Item> items = new ArrayList<>(); Basket copy() { Basket b = new Basket(); for (Item i : items) b.items.add(i.copy()); return b; } }
  static final class Shop { Basket basket = new Basket(); int n; void add() { Basket b = basket.copy(); for (int i = 0; i < 10; i++) b.items.add(new Item("sku-" + n++, 1)); basket = b; } }
  static final Shop shop = new Shop();
  public static void main(String[] a) throws Exception { Rounds.run(r -> { for (int i = 0; i < 45; i++) shop.add(); }); }
}
