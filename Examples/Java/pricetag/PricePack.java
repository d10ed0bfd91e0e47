package pricetag;

import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A pack of compiled patterns, which {@code pricetag pack} writes. Any number of threads may use it.
 *
 * <pre>{@code
 * try (PricePack pack = PricePack.open(Path.of("store.pack"))) {
 *   pack.storefront("JPN").format("1200"); // ￥1,200
 * }
 * }</pre>
 */
public final class PricePack implements AutoCloseable {
  static {
    System.loadLibrary("pricetagjni");
  }

  private static final Cleaner CLEANER = Cleaner.create();

  /**
   * The memory of the pack. {@link #free} waits for the calls that read it. A call after that finds the handle 0, so that no call
   * reads freed memory.
   */
  private static final class Memory implements Runnable {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    long handle;

    @Override
    public void run() {
      lock.writeLock().lock();
      try {
        close(handle);
        handle = 0;
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  private final Memory memory = new Memory();
  private final Cleaner.Cleanable cleanable;

  private PricePack(long handle) {
    memory.handle = handle;
    cleanable = CLEANER.register(this, memory);
  }

  /**
   * Reads and checks a pack. The file may then be replaced or deleted. The library receives the path in UTF-8.
   *
   * @throws PriceException with the code {@code unreadable-file} or {@code not-a-pack}, or that of another damage
   */
  public static PricePack open(Path path) {
    return new PricePack(open(path.toString()));
  }

  /** Returns the formatter of a storefront that has always charged one currency, such as {@code JPN}. */
  public PriceFormatter storefront(String storefront) {
    return storefront(storefront, null);
  }

  /** Returns the formatter of a storefront on a date, which decides its currency. The date may be null. */
  public PriceFormatter storefront(String storefront, LocalDate date) {
    Objects.requireNonNull(storefront, "storefront");
    int day = date == null ? 0 : number(date);
    return new PriceFormatter(this, read(handle -> storefront(handle, storefront, day)));
  }

  /** Returns the formatter of a price locale, such as {@code de-CH}, and a currency, such as {@code CHF}. */
  public PriceFormatter locale(String locale, String currency) {
    Objects.requireNonNull(locale, "locale");
    Objects.requireNonNull(currency, "currency");
    return new PriceFormatter(this, read(handle -> locale(handle, locale, currency)));
  }

  /** Frees the memory of the pack. Its formatters then throw {@link IllegalStateException}. */
  @Override
  public void close() {
    cleanable.clean();
  }

  private static int number(LocalDate date) {
    if (date.getYear() < 1 || date.getYear() > 9999) {
      throw new PriceException(
          "invalid-argument", "the year is not in 1...9999", "correct the date", null, date.toString());
    }
    return date.getYear() * 10000 + date.getMonthValue() * 100 + date.getDayOfMonth();
  }

  interface Call<Result> {
    Result with(long handle);
  }

  /** Calls a function that reads the memory of the pack, which is not freed until the function has returned. */
  <Result> Result read(Call<Result> call) {
    memory.lock.readLock().lock();
    try {
      if (memory.handle == 0) {
        throw new IllegalStateException("the pack is closed; open it again, and create its formatters again");
      }
      return call.with(memory.handle);
    } finally {
      memory.lock.readLock().unlock();
    }
  }

  private static native long open(String path);

  private static native void close(long pack);

  private static native long storefront(long pack, String storefront, int date);

  private static native long locale(long pack, String locale, String currency);
}
