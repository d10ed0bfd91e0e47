import Foundation
import PriceTag
import ProofSupport

/// A pack that vectors refer to, and the options of `pricetag pack` that write it.
struct VectorPack: Sendable {
  /// The prices in the pack.
  enum Contents: Sendable {
    /// Every storefront, with its currencies.
    case storefronts
    /// Every price locale with every current currency.
    case locales
  }

  /// The name of the file.
  let file: String
  let contents: Contents
  /// The widths. The other options of the style are the same for all of them.
  let widths: [PriceStyle.Width]
  let style: PriceStyle
  /// The references of unit prices, which the pack has in each width.
  let references: [UnitPriceReference]
  let hasSpokenForms: Bool

  /// The date of the packs. It decides which currencies are current, and which symbols are ambiguous.
  static let date: CalendarDate = {
    guard let date = try? CalendarDate("2026-06-01") else { return .todayInUTC }
    return date
  }()

  /// The price locales of the packs, as BCP 47 tags.
  static let locales = Set(Proof.allLocales.compactMap { try? PriceLocale($0).identifier }).sorted()

  /// The currencies of the price locales.
  static let currencies = LocaleData.embedded.currencies.filter {
    $0.kind == .currency && $0.isCurrent(on: date)
  }

  private init(
    _ name: String,
    _ contents: Contents = .storefronts,
    _ widths: [PriceStyle.Width] = [.standard, .name],
    _ style: PriceStyle = PriceStyle(),
    per references: [UnitPriceReference] = [],
    hasSpokenForms: Bool = true
  ) {
    file = "\(name).pack"
    self.contents = contents
    self.widths = widths
    self.style = style
    self.references = references
    self.hasSpokenForms = hasSpokenForms
  }

  /// Units with short and long texts, and the quantities that are allowed.
  private static let unitReferences = ["kg", "100 mL", "10 g", "m²", "lb", "100 fl oz", "1000 cm³"].compactMap
  {
    try? UnitPriceReference($0)
  }

  /// The named pack of the environment variable `VECTOR_PACK`, which is then the only one; `nil` without it.
  private static let named: (name: String, pack: Pack)? = ProcessInfo.processInfo.environment["VECTOR_PACK"]
    .flatMap { name in (try? Pack(named: name)).map { (name, $0) } }

  /// A Boolean value that indicates whether the vectors are those of a named pack.
  static let isNamed = named != nil

  /// The registry, whose prices come from the named pack, or from ICU.
  static let localeData = named.map { LocaleData.embedded.pinned(to: $0.pack) } ?? .embedded

  /// A Boolean value that indicates whether ICU has the CLDR of the prices.
  static let isComparable = named.map { $0.pack.writerVersions.cldr == Versions.current.cldr } ?? true

  /// All packs; the named pack once for each number of digits.
  static let all: [VectorPack] =
    named.map { named in
      [.standard, .minorUnits].map {
        VectorPack(named.name, .storefronts, PriceStyle.Width.allCases, PriceStyle(digits: $0))
      }
    } ?? written

  private static let written: [VectorPack] =
    [
      VectorPack("locales", .locales, [.standard]),
      VectorPack(
        "locales-symbols",
        .locales,
        [.narrow, .iso],
        PriceStyle(sign: .accounting),
        hasSpokenForms: false
      ),
      VectorPack(
        "locales-cash",
        .locales,
        [.standard],
        PriceStyle(zeros: .trim, digits: .cash, grouping: .always, numberingSystem: "latn"),
        hasSpokenForms: false
      ),
      VectorPack("widths", .storefronts, PriceStyle.Width.allCases),
    ]
    + PriceStyle.Sign.allCases.filter { $0 != .auto }.map {
      VectorPack("sign-\($0.rawValue)", .storefronts, [.standard, .iso, .hidden], PriceStyle(sign: $0))
    }
    + ([.cash, .minorUnits, .fixed(0), .fixed(3), .fixed(18), .range(0...2), .range(1...3)]
    as [PriceStyle.Digits]).map {
      VectorPack("digits-\($0.optionValue)", .storefronts, [.standard, .name], PriceStyle(digits: $0))
    }
    + ([.standard, .cash, .range(0...3)] as [PriceStyle.Digits]).map {
      VectorPack(
        "trim-\($0.optionValue)",
        .storefronts,
        [.standard, .narrow],
        PriceStyle(zeros: .trim, digits: $0)
      )
    }
    + PriceStyle.Grouping.allCases.filter { $0 != .auto }.map {
      VectorPack("grouping-\($0.rawValue)", .storefronts, [.standard], PriceStyle(grouping: $0))
    }
    + ["latn", "arab", "deva"].map { (name: String) in
      VectorPack("numbering-\(name)", .storefronts, [.standard, .iso], PriceStyle(numberingSystem: name))
    }
    + ([.approximately, .atLeast] as [PriceStyle.Qualifier]).map {
      VectorPack("qualifier-\($0.rawValue)", .storefronts, [.standard, .narrow], PriceStyle(qualifier: $0))
    }
    + [
      VectorPack("units", .storefronts, [.standard, .name], per: unitReferences),
      VectorPack(
        "mixed",
        .storefronts,
        [.iso, .unambiguous],
        PriceStyle(
          sign: .accountingExceptZero,
          digits: .range(0...4),
          grouping: .min2,
          numberingSystem: "arabext"
        )
      ),
    ]

  /// The styles in the pack whose formatters are in the vectors.
  var styles: [VectorStyle] {
    widths.flatMap { width in
      var style = style
      style.width = width
      return ([nil] + references).map { VectorStyle(style: style, reference: $0) }
    }
  }

  /// The arguments of `pricetag pack`, except for the file.
  var options: [String] {
    var options = ["--at", Self.date.description, "--widths", widths.map(\.rawValue).joined(separator: ",")]
    switch contents {
    case .storefronts: options += ["--storefronts", "all"]
    case .locales:
      options += ["--locales", Self.locales.joined(separator: ",")]
      options += ["--currencies", Self.currencies.map(\.code).joined(separator: ",")]
    }
    if !references.isEmpty { options += ["--per", references.map(\.description).joined(separator: ",")] }
    if !hasSpokenForms { options.append("--no-spoken") }
    let usual = PriceStyle()
    if style.zeros != usual.zeros { options += ["--zeros", style.zeros.rawValue] }
    if style.sign != usual.sign { options += ["--sign", style.sign.rawValue] }
    if style.digits != usual.digits { options += ["--digits", style.digits.optionValue] }
    if style.grouping != usual.grouping { options += ["--grouping", style.grouping.rawValue] }
    if let numberingSystem = style.numberingSystem { options += ["--numbering", numberingSystem] }
    if style.notation != usual.notation { options += ["--notation", style.notation.rawValue] }
    if style.qualifier != usual.qualifier { options += ["--qualifier", style.qualifier.rawValue] }
    return options
  }
}

extension PriceStyle.Digits {
  /// The value of the option `--digits`.
  var optionValue: String {
    switch self {
    case .standard: "standard"
    case .cash: "cash"
    case .minorUnits: "minor-units"
    case .fixed(let count): "\(count)"
    case .range(let range): "\(range.lowerBound)-\(range.upperBound)"
    }
  }
}

/// A style in a pack.
struct VectorStyle: Hashable, Sendable {
  let style: PriceStyle
  /// The reference of unit prices; `nil` for other prices.
  var reference: UnitPriceReference?

  /// The 28 bytes that identify the style in a pack, as hexadecimal digits. They follow docs/packs.md, and share no code
  /// with the library.
  var key: String {
    var key = [UInt8](repeating: 0, count: 28)
    key[0] =
      switch style.width {
      case .standard: 0
      case .narrow: 1
      case .iso: 2
      case .name: 3
      case .hidden: 4
      case .formal: 5
      case .variant: 6
      case .unambiguous: 7
      }
    key[1] = style.zeros == .trim ? 1 : 0
    key[2] =
      switch style.sign {
      case .auto: 0
      case .accounting: 1
      case .always: 2
      case .never: 3
      case .exceptZero: 4
      case .accountingAlways: 5
      case .accountingExceptZero: 6
      case .negative: 7
      case .accountingNegative: 8
      }
    switch style.digits {
    case .standard: break
    case .cash: key[3] = 1
    case .minorUnits: key[3] = 4
    case .fixed(let count): key.replaceSubrange(3..<6, with: [2, UInt8(count), UInt8(count)])
    case .range(let range):
      key.replaceSubrange(3..<6, with: [3, UInt8(range.lowerBound), UInt8(range.upperBound)])
    }
    key[6] =
      switch style.grouping {
      case .auto: 0
      case .always: 1
      case .min2: 2
      case .never: 3
      }
    key[7] =
      switch style.notation {
      case .standard: 0
      case .compactShort: 1
      case .compactLong: 2
      }
    key[8] =
      switch style.qualifier {
      case .none: 0
      case .approximately: 1
      case .atLeast: 2
      }
    for (index, byte) in (style.numberingSystem ?? "").utf8.prefix(8).enumerated() { key[12 + index] = byte }
    if let reference {
      let text = reference.description.replacing("²", with: "2").replacing("³", with: "3")
      let short = text.utf8.count > 8 ? text.replacing(" ", with: "") : text
      for (index, byte) in short.utf8.prefix(8).enumerated() { key[20 + index] = byte }
    }
    return key.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}
