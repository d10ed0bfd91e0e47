/// A file of compiled patterns, in memory.
///
/// A pack is used in place: it contains no pointers, and its bytes never change. `PackCheck` checks all of its fields
/// once; the functions here then read them without another check. docs/packs.md describes the layout, and
/// `PackWriter` writes it.
///
/// Sendable notes: the bytes do not change.
struct PackBytes: @unchecked Sendable {
  let start: UnsafeRawPointer

  /// The first bytes of every pack: "PriceTag", as a little-endian number.
  static let signature: UInt64 = 0x6761_5465_6369_7250
  /// The version of the layout. A reader rejects packs with another major version.
  static let majorVersion = 1
  static let minorVersion = 1

  /// The offsets of the fields of the header.
  enum Field {
    static let signature = 0
    static let majorVersion = 8
    static let minorVersion = 10
    static let size = 12
    /// The checksum covers all bytes but its own.
    static let checksum = 16
    static let sections = 32
  }

  static let headerSize = 160
  /// The value of an index that refers to nothing.
  static let none: UInt32 = 0xFFFF_FFFF

  /// The parts of a pack, in the order of their places in the header. Each has an offset and a number of elements.
  enum Section: Int {
    /// The bytes of all texts.
    case texts = 0
    /// The versions of the data, each a key and a value.
    case metadata = 1
    /// The storefronts, sorted by identifier.
    case storefronts = 2
    /// The currencies of storefronts, each with its dates.
    case periods = 3
    /// The formatter of each period in each style.
    case periodFormatters = 4
    /// The price locales, sorted by tag in lower case.
    case locales = 5
    /// The row of each locale in each style.
    case localeRows = 6
    /// The currencies, sorted by code.
    case currencies = 7
    case styles = 8
    /// The formatter of each row for each currency.
    case rows = 9
    /// The formatters, in the order of their patterns.
    case formatters = 10
    /// The bytes of the patterns, and 16 bytes that a copy may read after them.
    case patterns = 11
    /// The members of formatters that select a pattern by the amount.
    case families = 12

    static let count = 13

    /// The number of bytes of an element.
    var elementSize: Int {
      switch self {
      case .texts, .patterns: 1
      case .periodFormatters, .localeRows, .rows, .families: 4
      case .locales: PackBytes.Locale.size
      case .periods: PackBytes.Period.size
      case .metadata, .storefronts, .formatters: 16
      case .currencies: PackBytes.Currency.size
      case .styles: PackBytes.Style.size
      }
    }
  }

  /// The offsets of the fields of a storefront.
  enum Storefront {
    static let size = 16
    /// Three capital letters, and a zero.
    static let id = 0
    /// Two capital letters, and two zeros.
    static let alpha2 = 4
    static let firstPeriod = 8
    static let periodCount = 12
    static let locale = 14
  }

  /// The offsets of the fields of a currency period. Days are numbers such as 20260101.
  enum Period {
    static let size = 12
    static let currency = 0
    /// `dated` or `custom`.
    static let kind = 2
    /// 0 if the period has no start.
    static let firstDay = 4
    /// `none` if the period has no end.
    static let lastDay = 8

    /// The kind of a currency that the store charges on the dates.
    static let dated = 0
    /// The kind of a custom currency that the store charges too, on any date. These periods follow the dated ones.
    static let custom = 1
  }

  /// The offsets of the fields of a price locale.
  enum Locale {
    static let size = 8
    static let text = 0
    static let textLength = 4
  }

  /// The offsets of the fields of a currency.
  enum Currency {
    static let size = 24
    /// The code, with zeros after it.
    static let code = 0
    static let codeLength = 12
    /// The digits of ISO 4217's minor unit.
    static let minorUnitDigits = 12
    /// The number of digits if a currency has no minor unit.
    static let noMinorUnit = 255
    static let standardDigits = 13
    static let cashDigits = 14
    /// 0 for a currency of ISO 4217, 1 for a custom currency.
    static let kind = 15
    static let cashStep = 16
  }

  /// The offsets of the fields of a style.
  enum Style {
    static let size = 32
    /// The bytes that decide whether two styles are the same.
    static let keyLength = 28
    /// The name of the numbering system, with zeros after it; zeros for that of the locale.
    static let numbering = 12
    static let numberingLength = 8
    /// The reference of unit prices, such as `100 mL`, with zeros after it; zeros for other prices.
    static let unit = 20
    static let unitLength = 8
    /// The style of the spoken form; 0xFFFF if the pack does not have it.
    static let spoken = 28
  }

  /// The offsets of the fields of a formatter.
  enum Formatter {
    static let size = 16
    /// The distance from the formatter to its pattern or family.
    static let pattern = 0
    /// The distance from the formatter to the one of its spoken form: 0 if it is this one, `none` if the pack does not have
    /// it.
    static let spoken = 4
    static let kind = 8
    /// The distance from the formatter to the names of its currency, for lenient reading; 0 without names.
    static let names = 12
  }

  /// The kind of formatters with one pattern.
  static let patternFormatter = 1
  /// The kind of formatters with a family.
  static let familyFormatter = 2

  /// The offsets of the fields of a family: formatters for amounts with different numbers of digits, and one for zero.
  enum Family {
    static let minimumDigits = 0
    static let maximumDigits = 1
    /// 1 if the last member formats zero.
    static let hasZero = 2
    /// The distances from the family's formatter to the members, by number of digits.
    static let members = 4
  }

  @inline(__always)
  var size: Int { Int(truncatingIfNeeded: start.uint32(at: Field.size)) }

  @inline(__always)
  func count(_ section: Section) -> Int {
    Int(truncatingIfNeeded: start.uint32(at: Field.sections &+ section.rawValue &* 8 &+ 4))
  }

  @inline(__always)
  func bytes(_ section: Section) -> UnsafeRawPointer {
    start + Int(truncatingIfNeeded: start.uint32(at: Field.sections &+ section.rawValue &* 8))
  }

  /// Returns the place of an element.
  @inline(__always)
  func element(_ index: Int, of section: Section) -> UnsafeRawPointer {
    bytes(section) + index &* section.elementSize
  }

  /// Returns the checksum of a pack: FNV-1a with words of eight bytes and a rotation. The word of the checksum is omitted,
  /// and the last word is filled with zeros.
  static func checksum(_ pack: UnsafeRawPointer, size: Int) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    var index = 0
    while size &- index >= 8 {
      if index != Field.checksum { sum = combined(sum, pack.uint64(at: index)) }
      index &+= 8
    }
    var last: UInt64 = 0
    var shift: UInt64 = 0
    while index < size {
      last |= UInt64(truncatingIfNeeded: pack.uint8(at: index)) &<< shift
      shift &+= 8
      index &+= 1
    }
    return combined(sum, last)
  }

  @inline(__always)
  private static func combined(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = sum ^ word
    return (mixed &<< 29 | mixed &>> 35) &* 0x100_0000_01B3
  }
}
