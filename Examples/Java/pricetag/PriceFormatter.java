package pricetag;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;

/** Formats the prices of one price locale and currency. Any number of threads may use it until its pack is closed. */
public final class PriceFormatter {
  private final PricePack pack;
  /** A place in the memory of the pack. */
  private final long handle;

  PriceFormatter(PricePack pack, long handle) {
    this.pack = pack;
    this.handle = handle;
  }

  /** Returns an amount of decimal text, such as {@code 1234.50}, as text. Decimals that are not displayed are an error. */
  public String format(String amount) {
    return format(amount, RoundingMode.UNNECESSARY);
  }

  /** Returns an amount of decimal text as text, rounded by a mode. */
  public String format(String amount, RoundingMode rounding) {
    Objects.requireNonNull(amount, "amount");
    int mode = number(rounding);
    return pack.read(memory -> format(handle, amount, mode));
  }

  /** Returns an exact amount as text. There is no such method for floating-point numbers, because they are not exact. */
  public String format(BigDecimal amount) {
    return format(amount, RoundingMode.UNNECESSARY);
  }

  /** Returns an amount as text, rounded by a mode. */
  public String format(BigDecimal amount, RoundingMode rounding) {
    // The size is checked first, because the text of 1e999999999 has a gigabyte. 256 bits hold 77 digits.
    if (amount.unscaledValue().bitLength() <= 256) {
      BigDecimal shortest = amount.stripTrailingZeros();
      if (shortest.scale() <= 64 && (long) shortest.precision() - shortest.scale() <= 64) {
        return format(shortest.toPlainString(), rounding);
      }
    }
    throw new PriceException(
        "amount-out-of-range",
        "the amount is out of range",
        "use at most 18 significant digits, of which at most 18 are after the decimal point",
        null,
        null);
  }

  /** Returns an amount of minor units, such as 499 cents with the exponent 2, as text. */
  public String formatUnits(long units, int exponent, RoundingMode rounding) {
    int mode = number(rounding);
    return pack.read(memory -> formatUnits(handle, units, exponent, mode));
  }

  /** Returns the formatter of the spoken form, with the full name of the currency: {@code 49.99 US dollars}. */
  public PriceFormatter spoken() {
    return new PriceFormatter(pack, pack.read(memory -> spoken(handle)));
  }

  /** Returns a rounding mode of pricetag.h. */
  private static int number(RoundingMode rounding) {
    switch (rounding) {
      case UNNECESSARY:
        return 0;
      case HALF_EVEN:
        return 1;
      case HALF_UP:
        return 2;
      case HALF_DOWN:
        return 3;
      case UP:
        return 4;
      case DOWN:
        return 5;
      case CEILING:
        return 6;
      case FLOOR:
        return 7;
    }
    throw new AssertionError(rounding);
  }

  private static native String format(long formatter, String amount, int rounding);

  private static native String formatUnits(long formatter, long units, int exponent, int rounding);

  private static native long spoken(long formatter);
}
