/// The lines of a vector file. Fields are separated by tabs, and lines end with a line feed.
///
///     p  index  file                                                      a pack
///     s  index  key                                                       a style: its 28 bytes in hexadecimal digits
///     l  pack  style  locale  currency  result                            the formatter of the lines after it
///     f  pack  style  storefront  date  result  currency  locale          the same; a date such as 20260131, or 0
///     t  rounding  amount  result  [parts  direction  spoken]             an amount as text
///     u  rounding  units  exponent  result  [parts  direction  spoken]    an amount as minor units
///
/// A result is `=` and the text, or `!` and the code of the error. The result of a formatter is `=` and the number of its
/// digits after the decimal separator, a space, and the digits of the currency's minor unit, -1 if it has none. Parts are
/// pairs of the kind and the number of bytes, `1:1 2:3`; the direction is `ltr` or `rtl`. A spoken form has `=` before it; an
/// empty one means that the pack has none. The rounding is the number of the mode in pricetag.h.
///
/// `~` in place of `=` marks a full name of an amount with more than fifteen digits. ICU computes the plural form with a
/// double, and a pack with all digits, so that a host may write another form of the name, or report that the pack has none.
///
/// In all fields, `\\`, `\t`, `\n`, `\r` and `\0` stand for a backslash, tab, line feed, carriage return and zero byte.
struct VectorLines: Sendable {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ fields: [String]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\t")) }
      for byte in field.utf8 {
        switch byte {
        case UInt8(ascii: "\\"): bytes += Array(#"\\"#.utf8)
        case UInt8(ascii: "\t"): bytes += Array(#"\t"#.utf8)
        case UInt8(ascii: "\n"): bytes += Array(#"\n"#.utf8)
        case UInt8(ascii: "\r"): bytes += Array(#"\r"#.utf8)
        case 0: bytes += Array(#"\0"#.utf8)
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func append(_ other: VectorLines) { bytes += other.bytes }

  /// Returns the fields of a line.
  static func fields(of line: Substring.UTF8View) -> [String] {
    line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { field in
      guard field.contains(UInt8(ascii: "\\")) else { return String(decoding: field, as: UTF8.self) }
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in field {
        if isEscaped {
          isEscaped = false
          switch byte {
          case UInt8(ascii: "t"): bytes.append(0x09)
          case UInt8(ascii: "n"): bytes.append(0x0A)
          case UInt8(ascii: "r"): bytes.append(0x0D)
          case UInt8(ascii: "0"): bytes.append(0)
          default: bytes.append(byte)
          }
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
