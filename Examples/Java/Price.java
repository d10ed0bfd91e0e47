import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import pricetag.PriceException;
import pricetag.PriceFormatter;
import pricetag.PricePack;

/**
 * Formats the prices of a storefront with a pack, which comes from {@code pricetag pack -o store.pack}.
 *
 * <pre>java Price PACK STOREFRONT AMOUNT...</pre>
 */
public final class Price {
  public static void main(String[] arguments) {
    if (arguments.length < 3) {
      System.err.println("usage: java Price PACK STOREFRONT AMOUNT...");
      System.exit(2);
    }
    try (PricePack pack = PricePack.open(Path.of(arguments[0]))) {
      // The date decides the currency of a storefront that has changed it.
      PriceFormatter formatter = pack.storefront(arguments[1], LocalDate.of(2026, 1, 31));
      PriceFormatter spoken = formatter.spoken();
      for (String amount : Arrays.asList(arguments).subList(2, arguments.length)) {
        System.out.printf("%-12s %s%n%-12s %s%n", "text", formatter.format(amount), "spoken", spoken.format(amount));
      }
    } catch (PriceException error) {
      System.err.println("price: " + error.getMessage() + " (" + error.code() + ")");
      System.exit(1);
    }
  }
}
