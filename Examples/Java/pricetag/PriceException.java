package pricetag;

/** The reason why a price cannot be formatted. The message is {@code place: problem; fix}. */
public final class PriceException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String code;
  private final String fix;

  /** Creates an exception with the texts of the library. The reason and the value may be null. Called from C. */
  PriceException(String code, String problem, String fix, String reason, String value) {
    super(
        (value == null ? "" : quoted(value) + ": ")
            + problem
            + (reason == null ? "" : " (" + reason + ")")
            + "; "
            + inJava(fix));
    this.code = code;
    this.fix = inJava(fix);
  }

  /** Returns the stable name of the reason, such as {@code needs-rounding}. */
  public String code() {
    return code;
  }

  /** Returns how to fix it. */
  public String fix() {
    return fix;
  }

  /** Replaces the constant of C that the library names. */
  private static String inJava(String fix) {
    return fix.replace("PRICETAG_HALF_EVEN", "RoundingMode.HALF_EVEN");
  }

  /** Returns the first characters of a value in quotes, those that are not ASCII letters and signs as escapes. */
  private static String quoted(String value) {
    int maximum = 80;
    StringBuilder text = new StringBuilder("\"");
    for (char unit : value.substring(0, Math.min(value.length(), maximum)).toCharArray()) {
      if (unit < ' ' || unit > '~' || unit == '"' || unit == '\\') {
        text.append(String.format("\\u%04x", (int) unit));
      } else {
        text.append(unit);
      }
    }
    return text.append(value.length() > maximum ? "…\"" : "\"").toString();
  }
}
