import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import pricetag.PriceException;
import pricetag.PriceFormatter;
import pricetag.PricePack;

/**
 * Tests of the package pricetag with a pack of all storefronts, and of the locales de-CH and ff-Adlm-GN with the currencies CHF
 * and GNF.
 *
 * <pre>java PriceTest PACK</pre>
 */
public final class PriceTest {
  private static int checks;
  private static int failures;

  private interface Call {
    String run() throws Exception;
  }

  /** Compares the text of a call, or the code of its exception, with the expected one. */
  private static void expect(String expected, Call call) {
    String found;
    try {
      found = call.run();
    } catch (PriceException error) {
      found = error.code();
      if (!error.getMessage().endsWith("; " + error.fix())) found += ", without the fix: " + error.getMessage();
    } catch (Exception error) {
      found = error.getClass().getSimpleName();
    }
    checks++;
    if (!Objects.equals(found, expected)) {
      failures++;
      System.err.println("expected " + expected + ", found " + found);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    try (PricePack pack = PricePack.open(file)) {
      prices(pack);
      exactAmounts(pack.storefront("USA"));
      errors(pack);
      threads(pack);
    }
    packs(file);
    closing(file);
    System.out.printf("%d checks, %d failures%n", checks, failures);
    System.exit(failures == 0 ? 0 : 1);
  }

  private static void prices(PricePack pack) {
    expect("￥1,200", () -> pack.storefront("JPN").format("1200"));
    expect("￥1,200", () -> pack.storefront("jp").format("1200"));
    expect("-$1,234.50", () -> pack.storefront("USA").format("-1234.5"));
    expect("49,99\u00a0€", () -> pack.storefront("DEU").format("49.99"));
    expect("\u200f١٬٤٩٩٫٩٩\u00a0ج.م.\u200f", () -> pack.storefront("EGY").format("1499.99"));
    expect("€0.99", () -> pack.storefront("BGR", LocalDate.of(2026, 1, 31)).format("0.99"));
    expect("CHF\u00a01’234.50", () -> pack.locale("de-CH", "CHF").format("1234.50"));
    expect("4.99 US dollars", () -> pack.storefront("USA").spoken().format("4.99"));
    // Digits outside the Basic Multilingual Plane: U+1E951, U+1E952, U+1E953, U+1E954.
    expect(
        "FG\u00a0\ud83a\udd51\u2e41\ud83a\udd52\ud83a\udd53\ud83a\udd54",
        () -> pack.locale("ff-Adlm-GN", "GNF").format("1234"));
    expect("$5.00", () -> pack.storefront("USA").format("4.995", RoundingMode.HALF_EVEN));
    List<String> rounded = new ArrayList<>();
    for (RoundingMode mode : RoundingMode.values()) {
      if (mode != RoundingMode.UNNECESSARY) {
        rounded.add(mode + pack.storefront("USA").format("-4.985", mode));
      }
    }
    // As BigDecimal rounds.
    expect(rounded.toString(), () -> {
      List<String> expected = new ArrayList<>();
      for (RoundingMode mode : RoundingMode.values()) {
        if (mode != RoundingMode.UNNECESSARY) {
          expected.add(mode + "-$" + new BigDecimal("-4.985").setScale(2, mode).abs());
        }
      }
      return expected.toString();
    });
  }

  private static void exactAmounts(PriceFormatter usa) {
    expect("$4.99", () -> usa.formatUnits(499, 2, RoundingMode.UNNECESSARY));
    expect("$4.50", () -> usa.format(new BigDecimal("4.5")));
    expect("$4.50", () -> usa.format(new BigDecimal("4.5000000000000000000000000000")));
    expect("$1,000.00", () -> usa.format(new BigDecimal("1e3")));
    expect("$0.00", () -> usa.format(new BigDecimal("0e-999999999")));
    expect("$0.00", () -> usa.format(new BigDecimal("0e999999999")));
    expect("$4.99", () -> usa.format(new BigDecimal("4.994"), RoundingMode.HALF_EVEN));
    expect("needs-rounding", () -> usa.format(new BigDecimal("4.994")));
    expect("amount-out-of-range", () -> usa.format(new BigDecimal("1e999999999")));
    expect("amount-out-of-range", () -> usa.format(new BigDecimal("1e-999999999")));
    expect("amount-out-of-range", () -> usa.format(new BigDecimal("1".repeat(100_000))));
    expect("NullPointerException", () -> usa.format((BigDecimal) null));
  }

  private static void errors(PricePack pack) {
    PriceFormatter usa = pack.storefront("USA");
    for (String amount : Arrays.asList("", "4,99", "1\0", "\0", "\ud800", "1\udc00", "\ud835\udfd9", "NaN", "1e3", " 1")) {
      expect("malformed-amount", () -> usa.format(amount));
    }
    expect("amount-out-of-range", () -> usa.format("9".repeat(19)));
    expect("amount-out-of-range", () -> usa.format("9".repeat(1 << 20)));
    expect("needs-rounding", () -> pack.storefront("JPN").format("4.99"));
    expect("amount-out-of-range", () -> usa.formatUnits(1, -1, RoundingMode.UNNECESSARY));
    expect("amount-out-of-range", () -> usa.formatUnits(1, Integer.MAX_VALUE, RoundingMode.UNNECESSARY));
    expect("NullPointerException", () -> usa.format((String) null));
    expect("NullPointerException", () -> usa.format("1", null));
    for (String storefront : Arrays.asList("XXX", "", "USA\0", "\0", "\ud800", "U\udfffA", "A".repeat(1 << 20))) {
      expect("unknown-storefront", () -> pack.storefront(storefront).format("1"));
    }
    expect("missing-date", () -> pack.storefront("BGR").format("1"));
    expect("invalid-argument", () -> pack.storefront("BGR", LocalDate.MAX).format("1"));
    expect("unknown-locale", () -> pack.locale("tlh", "CHF").format("1"));
    expect("unknown-currency", () -> pack.locale("de-CH", "XXX").format("1"));
    expect("unknown-currency", () -> pack.locale("de-CH", "CHF\0").format("1"));
    expect("NullPointerException", () -> pack.locale(null, "CHF").format("1"));
    expect(
        "\"4\\u0000\\ud800\": the text is not a decimal amount; "
            + "write ASCII digits with an optional sign and fraction, such as 1234.50",
        () -> {
          try {
            return usa.format("4\0\ud800");
          } catch (PriceException error) {
            return error.getMessage();
          }
        });
  }

  private static void packs(Path file) throws IOException {
    Path folder = Files.createTempDirectory("pricetag");
    Path damaged = folder.resolve("pack");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(damaged, Arrays.copyOf(bytes, bytes.length / 2));
    expect("truncated-pack", () -> PricePack.open(damaged).toString());
    bytes[bytes.length / 2] ^= 1;
    Files.write(damaged, bytes);
    expect("damaged-pack", () -> PricePack.open(damaged).toString());
    Files.write(damaged, new byte[100]);
    expect("not-a-pack", () -> PricePack.open(damaged).toString());
    Files.delete(damaged);
    expect("unreadable-file", () -> PricePack.open(damaged).toString());
    expect("unreadable-file", () -> PricePack.open(folder).toString());
    Files.delete(folder);
    expect("NullPointerException", () -> PricePack.open(null).toString());
  }

  private static void threads(PricePack pack) throws InterruptedException {
    AtomicInteger wrong = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int index = 0; index < 4; index++) {
      Thread thread = new Thread(() -> {
        PriceFormatter usa = pack.storefront("USA");
        for (int price = 0; price < 5_000; price++) {
          if (!usa.format("1234.5").equals("$1,234.50")) wrong.incrementAndGet();
        }
      });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) thread.join();
    expect("0", wrong::toString);
  }

  /** A pack that is closed while threads use it, twice, and packs that nobody closes. */
  private static void closing(Path file) throws InterruptedException {
    PricePack pack = PricePack.open(file);
    PriceFormatter usa = pack.storefront("USA");
    AtomicInteger stopped = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int index = 0; index < 4; index++) {
      Thread thread = new Thread(() -> {
        try {
          while (usa.format("1").equals("$1.00")) {}
        } catch (IllegalStateException error) {
          stopped.incrementAndGet();
        }
      });
      threads.add(thread);
      thread.start();
    }
    Thread.sleep(50);
    pack.close();
    pack.close();
    for (Thread thread : threads) thread.join();
    expect("4", stopped::toString);
    expect("IllegalStateException", () -> pack.storefront("USA").format("1"));
    expect("IllegalStateException", () -> usa.spoken().format("1"));
    for (int index = 0; index < 100; index++) {
      PriceFormatter forgotten = PricePack.open(file).storefront("JPN");
      if (index % 20 == 0) System.gc();
      expect("￥1", () -> forgotten.format("1"));
    }
  }
}
