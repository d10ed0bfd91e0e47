package pricetag.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** A function with its options, which travels with the job, and which generated code calls for each row. */
public final class PriceFunction implements Serializable {
  private static final long serialVersionUID = 1;
  private static final long MAXIMUM_PACK = 16 << 20;

  final String name;
  final boolean isResult;
  final boolean hasMajorUnits;
  private final String options;
  /** The date of rows without a date. */
  private final String date;
  /** The bytes of a pack of a file; or null for the pack of the jar with the name. */
  private final byte[] pack;
  private final String packName;
  private final String contents = Library.CONTENTS;

  private transient ThreadLocal<State> states;
  private transient State recent;

  /** Creates a function, on the driver, with the options of a call and the settings of its session. */
  PriceFunction(String name, String options) {
    SQLConf settings = SQLConf.get();
    String file = settings.getConfString("spark.pricetag.pack", "");
    boolean isFile = !file.isEmpty() && !file.matches("cldr-[0-9]+");
    this.name = name;
    this.options = (settings.getConfString("spark.pricetag.options", "") + " " + options).trim();
    date = settings.getConfString("spark.pricetag.at", "");
    isResult = name.startsWith("price_result");
    pack = isFile ? read(Path.of(file)) : null;
    packName = isFile ? digest(pack) : !file.isEmpty() ? file : isLocale() ? "locales" : Library.STOREFRONTS;
    hasMajorUnits = new State(this).unit == 0;
  }

  private boolean isLocale() {
    return name.endsWith("_locale");
  }

  private static byte[] read(Path file) {
    try {
      if (Files.isRegularFile(file) && Files.size(file) <= MAXIMUM_PACK) return Files.readAllBytes(file);
    } catch (IOException error) {
      throw new IllegalArgumentException("spark.pricetag.pack: " + error + "; correct the path", error);
    }
    throw new IllegalArgumentException(
        "spark.pricetag.pack: \"" + file + "\" is not a file of at most 16 MB; correct the path");
  }

  // ---- Calls. Spark returns null for an amount of long that is null, without a call.

  public Object call(UTF8String place, UTF8String currency, UTF8String day, long amount) {
    return state().call(place, currency, day, UNITS, amount, -1);
  }

  public Object call(UTF8String place, UTF8String currency, UTF8String day, UTF8String amount) {
    State state = state();
    return amount == null ? state.none : state.call(place, currency, day, put(amount, state.address + AMOUNT), 0, 0);
  }

  public Object call(UTF8String place, UTF8String currency, UTF8String day, Decimal amount) {
    State state = state();
    if (amount == null) return state.none;
    if (amount.precision() <= Decimal.MAX_LONG_DIGITS()) {
      return state.call(place, currency, day, UNITS, amount.toUnscaledLong(), amount.scale());
    }
    BigDecimal value = amount.toJavaBigDecimal();
    if (!isInRange(value)) {
      value = value.stripTrailingZeros();
      if (value.scale() < 0) value = value.setScale(0);
    }
    int kind = isInRange(value) ? UNITS : TOO_LARGE;
    return state.call(place, currency, day, kind, value.unscaledValue().longValue(), value.scale());
  }

  private static boolean isInRange(BigDecimal value) {
    return value.scale() <= 18 && value.unscaledValue().bitLength() <= 63;
  }

  private List<Object> key() {
    return List.of(name, options, date, packName);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PriceFunction && key().equals(((PriceFunction) other).key());
  }

  @Override
  public int hashCode() {
    return key().hashCode();
  }

  // ---- The memory of a function in one thread. The places of texts in it, and their sizes, are those of pricetag_spark.c.

  private static final int NAME = 0;
  private static final int CURRENCY = 256;
  private static final int DATE = 512;
  private static final int AMOUNT = 768;
  private static final int TEXT = 1024;
  private static final int TEXT_SIZE = 1024;
  private static final int MAXIMUM_TEXT = 256;
  // In place of the length of an amount's text.
  private static final int UNITS = -1;
  private static final int TOO_LARGE = -2;

  private State state() {
    State state = recent;
    if (state == null || state.thread != Thread.currentThread()) {
      synchronized (this) {
        if (states == null) states = ThreadLocal.withInitial(() -> new State(this));
      }
      recent = state = states.get();
    }
    return state;
  }

  /** Copies at most 256 bytes of a text, which is longer than every name and amount. Returns -1 for null. */
  private static int put(UTF8String text, long address) {
    if (text == null) return -1;
    int length = Math.min(text.numBytes(), MAXIMUM_TEXT);
    Platform.copyMemory(text.getBaseObject(), text.getBaseOffset(), null, address, length);
    return length;
  }

  private static final class State {
    final Thread thread = Thread.currentThread();
    /** The result of an amount that is null. */
    final Object none;
    final int unit;
    final long address;
    private final boolean isError;
    private final boolean isResult;
    private final ByteBuffer memory;
    /** Keeps the pack, which the memory refers to. */
    private final Pack pack;

    State(PriceFunction function) {
      if (Library.FAILURE != null) throw new IllegalStateException(Library.FAILURE);
      if (!Library.CONTENTS.equals(function.contents)) {
        throw new IllegalStateException(
            "the driver and this executor have different jars of PriceTag; pass one with spark.jars");
      }
      String name = function.name;
      isError = name.startsWith("price_error");
      isResult = function.isResult;
      none = isResult ? new GenericInternalRow(2) : null;
      pack = Pack.open(function.packName, function.pack);
      memory = ByteBuffer.allocateDirect(size());
      address = address(memory);
      int named = name.endsWith("_minor") ? 1 : name.endsWith("_micros") ? 2 : -1;
      UTF8String options = UTF8String.fromString(function.options);
      if (options.numBytes() > MAXIMUM_TEXT) {
        throw new IllegalArgumentException("options: the text has more than 256 bytes; shorten it");
      }
      int day = put(UTF8String.fromString(function.date), address + DATE);
      int status = prepare(address, pack.handle, put(options, address + AMOUNT), day, named, function.isLocale(),
          name.startsWith("price_spoken"));
      if (status > 0) throw new IllegalArgumentException(text(status).toString());
      unit = -status;
    }

    Object call(UTF8String place, UTF8String currency, UTF8String day, int amount, long units, int scale) {
      int result = format(address, put(place, address + NAME), put(currency, address + CURRENCY), put(day, address + DATE),
          amount, units, scale);
      UTF8String error = result < 0 ? Library.CODES[-result] : null;
      UTF8String display = result < 0 || isError ? null : text(result);
      Reference.reachabilityFence(this);
      return isResult ? new GenericInternalRow(new Object[] {display, error}) : isError ? error : display;
    }

    private UTF8String text(int length) {
      byte[] bytes = new byte[Math.min(length, TEXT_SIZE)];
      Platform.copyMemory(null, address + TEXT, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
      return UTF8String.fromBytes(bytes);
    }
  }

  // ---- Packs

  private static final class Pack {
    private static final int MAXIMUM_COUNT = 8;
    private static final Map<String, Pack> OPEN = new LinkedHashMap<>();

    final long handle;
    private final ByteBuffer memory;

    private Pack(byte[] bytes) {
      memory = ByteBuffer.allocateDirect(bytes.length).put(bytes);
      handle = PriceFunction.open(address(memory), bytes.length);
      if (handle <= 0) throw new IllegalArgumentException("spark.pricetag.pack: " + describe((int) -handle));
    }

    /** Opens a pack of a name, or with bytes. A pack stays open as long as a function uses it. */
    static synchronized Pack open(String name, byte[] bytes) {
      Pack pack = OPEN.get(name);
      if (pack == null) {
        try {
          pack = new Pack(bytes != null ? bytes : Library.resource("packs/" + name + ".pack"));
        } catch (IOException error) {
          throw new IllegalArgumentException(
              "spark.pricetag.pack: unknown pack \"" + name + "\"; use cldr-42 or cldr-48, or write ./ before a file's name");
        }
        if (OPEN.size() >= MAXIMUM_COUNT) OPEN.remove(OPEN.keySet().iterator().next());
        OPEN.put(name, pack);
      }
      return pack;
    }
  }

  // ---- The library

  private static final class Library {
    /** The SHA-256 of each file of the jar, as sha256sum writes them. */
    static final String CONTENTS;
    static final String STOREFRONTS;
    static final UTF8String[] CODES = new UTF8String[32];
    /** Why there is no library, or null. An error of the initializer would be reported only once. */
    static final String FAILURE;

    static {
      String contents = "";
      String storefronts = "";
      String failure = null;
      try {
        contents = new String(resource("contents"), StandardCharsets.US_ASCII);
        storefronts = "cldr-" + new String(resource("packs/reference"), StandardCharsets.US_ASCII).trim();
        load(contents);
        for (int index = 0; index < CODES.length; index++) CODES[index] = UTF8String.fromString(code(index));
      } catch (IOException | LinkageError error) {
        failure = "PriceTag's library cannot be loaded: " + error.getMessage() + "; use Linux on x86-64 or arm64 with glibc,"
            + " and a folder -Djava.io.tmpdir that is not mounted noexec";
      }
      CONTENTS = contents;
      STOREFRONTS = storefronts;
      FAILURE = failure;
    }

    static byte[] resource(String name) throws IOException {
      try (InputStream stream = PriceFunction.class.getResourceAsStream(name)) {
        if (stream == null) throw new IOException("the jar has no file " + name);
        return stream.readAllBytes();
      }
    }

    /** Loads the library from a file that only this user can read or replace. */
    private static void load(String contents) throws IOException {
      String processor = System.getProperty("os.arch").replace("amd64", "x86_64");
      String file = "libpricetag_spark-" + System.getProperty("os.name") + "-" + processor + ".so";
      byte[] bytes = resource(file);
      if (!contents.contains(digest(bytes) + "  " + file + "\n")) throw new IOException(file + " of the jar is damaged");
      Path folder = Files.createTempDirectory("pricetag-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path library = folder.resolve(file);
      try {
        Files.write(library, bytes);
        if (!Arrays.equals(bytes, Files.readAllBytes(library))) throw new IOException(library + " differs from the jar's");
        System.load(library.toString());
      } finally {
        // Linux keeps the contents of a loaded library, and Spark may kill an executor before it can delete files.
        Files.deleteIfExists(library);
        Files.deleteIfExists(folder);
      }
    }
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  // ---- pricetag_spark.c. Addresses are those of direct buffers, which the callers keep.

  private static native int size();

  private static native long address(ByteBuffer memory);

  private static native long open(long address, long size);

  private static native String describe(int status);

  private static native String code(int error);

  private static native int prepare(long state, long pack, int options, int date, int unit, boolean isLocale, boolean isSpoken);

  private static native int format(long state, int name, int currency, int date, int amount, long units, int scale);
}
