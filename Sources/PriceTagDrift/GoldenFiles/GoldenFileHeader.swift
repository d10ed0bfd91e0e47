import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// The header of a golden file: the versions, the catalog, and the request that it was recorded with.
public struct GoldenFileHeader: Hashable, Sendable {
  /// The versions of PriceTag, ICU, CLDR, Unicode and, for an instant, the time zones. If the prices are formatted from a pack, those that wrote the pack.
  public var versions: Versions
  /// The revision of the storefront and currency registry: `LocaleData.revision()`.
  public var registry: String
  /// The path of the catalog, relative to the golden file's folder; `nil` if the catalog was not a file.
  public var catalog: String?
  /// The options for reading the catalog: `from`, `prices-of`, `reinterpret-as`, and `texts-in`, as the command names
  /// them.
  public var reading: [String: String]
  /// The day of the displayed prices and currencies: a date, or the instant at which each storefront had its own date.
  public var day: StoreDay
  /// The style of the prices.
  public var style: PriceStyle
  /// The products that are displayed: approved ones or all.
  public var mode: ProductsRequest.Mode
  /// The storefronts; `nil` for all storefronts of the registry.
  public var storefronts: [String]?
  /// The UI languages; `nil` for the languages of each store.
  public var languages: [String]?

  /// Creates the header for a request, with the versions that format the prices.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - localeData: The registry of storefronts. The header of a request for all of them names none.
  ///   - catalog: The path of the catalog, relative to the golden file's folder.
  ///   - reading: The options for reading the catalog.
  /// - Throws: `.catalogFailed` if the registry can no longer be read.
  public init(
    _ request: ListingRequest,
    in localeData: LocaleData = .embedded,
    catalog: String? = nil,
    reading: [String: String] = [:]
  ) throws(DriftError) {
    versions = localeData.versions(on: request.day)
    do throws(PriceTagError) { registry = try localeData.revision() } catch {
      throw DriftError(.catalogFailed, error)
    }
    (self.catalog, self.reading) = (catalog, reading)
    (day, style, mode) = (request.day, request.style, request.mode)
    let ids = request.storefronts.map(\.id)
    storefronts = Set(ids) == Set(localeData.storefronts.map(\.id)) ? nil : ids.sorted()
    languages =
      switch request.languages {
      case .store: nil
      case .list(let languages): languages.map(\.identifier).sorted()
      }
  }

  /// Returns the request that reproduces the displays.
  ///
  /// - Parameters:
  ///   - day: A day to use instead of the header's.
  ///   - localeData: The registry of storefronts.
  ///   - strings: The UI strings.
  /// - Throws: `.malformedGoldenFile` for an unknown storefront or language.
  public func request(
    at day: StoreDay? = nil,
    in localeData: LocaleData = .embedded,
    strings: StoreStrings = .embedded
  ) throws(DriftError) -> ListingRequest {
    var stores = localeData.storefronts
    if let storefronts {
      stores = []
      for id in storefronts {
        do throws(PriceTagError) { stores.append(try Storefront(id, in: localeData)) } catch {
          throw DriftError(.malformedGoldenFile, error).at("storefronts")
        }
      }
    }
    var requestedLanguages: ListingRequest.Languages = .store
    if let languages {
      var list: [UILanguage] = []
      for tag in languages {
        do throws(StringsError) { list.append(try UILanguage(tag)) } catch {
          throw DriftError(.malformedGoldenFile, error).at("languages")
        }
      }
      requestedLanguages = .list(list)
    }
    return ListingRequest(
      storefronts: stores,
      languages: requestedLanguages,
      at: day ?? self.day,
      mode: mode,
      style: style,
      strings: strings
    )
  }

  // MARK: Lines

  static let title = "PriceTag golden 1"
  /// The command's options for reading a catalog.
  static let readingNames = ["from", "prices-of", "reinterpret-as", "texts-in"]

  /// The lines of the header and the column names, each with a line feed.
  public var lines: String {
    var fields = [
      ("PriceTag", versions.priceTag), ("ICU", versions.icu), ("CLDR", versions.cldr),
      ("Unicode", versions.unicode),
    ]
    if !versions.zones.isEmpty { fields.append(("zones", versions.zones)) }
    fields.append(("registry", registry))
    if let catalog { fields.append(("catalog", catalog)) }
    for name in Self.readingNames { if let value = reading[name] { fields.append((name, value)) } }
    fields += [("date", day.description)] + settingFields
    return "# \(Self.title)\n" + fields.map { "# \($0): \(escapedForGoldenFile($1))\n" }.joined()
      + Self.columns
      + "\n"
  }

  /// The header fields that describe the request, except for its date.
  private var settingFields: [(String, String)] {
    [
      ("style", styleText),
      ("products", mode == .development ? "all" : "approved"),
      ("storefronts", storefronts?.joined(separator: " ") ?? "all"),
      ("languages", languages?.joined(separator: " ") ?? "store"),
    ]
  }

  /// The options of the style. Those that earlier versions did not have are written only if they are not the default.
  var styleText: String {
    var options = [
      "width=\(style.width.rawValue)", "zeros=\(style.zeros.rawValue)", "sign=\(style.sign.rawValue)",
      "digits=\(style.digits)", "rounding=\(style.rounding.rawValue)",
    ]
    if style.grouping != .auto { options.append("grouping=\(style.grouping.rawValue)") }
    if let numbering = style.numberingSystem { options.append("numbering=\(numbering)") }
    if style.notation != .standard { options.append("notation=\(style.notation.rawValue)") }
    if style.qualifier != .none { options.append("qualifier=\(style.qualifier.rawValue)") }
    if style.writtenAs != .icu { options.append("written-as=\(style.writtenAs)") }
    return options.joined(separator: " ")
  }

  /// The style, products, storefronts, and languages on one line.
  var settings: String { settingFields.map { "\($0) \($1)" }.joined(separator: ", ") }

  /// The line with the column names.
  static let columns = RecordedDisplay.Field.allCases.map(\.rawValue).joined(separator: "\t")

  /// A line of a header.
  struct Line {
    let text: String
    /// The line number, from 1.
    let number: Int
  }

  /// Checks that the first line of a file is the title.
  ///
  /// - Throws: `.malformedGoldenFile`.
  /// The start of the first line, in every version.
  package static let titleStart = "# PriceTag golden "

  static func checkTitle(_ text: String, _ number: Int) throws(DriftError) {
    if text == "# \(title)" { return }
    let start = titleStart
    guard text.hasPrefix(start) else {
      throw notAGoldenFile("the file does not start with \"# \(title)\"").at("line \(number)")
    }
    throw malformed(
      "version \(quoted(text.dropFirst(start.count))) of golden files is not supported, only version 1",
      number
    )
  }

  /// Parses the lines of a header after the title.
  ///
  /// - Throws: `.malformedGoldenFile`, with the line.
  init(lines: [Line]) throws(DriftError) {
    var fields: [String: String] = [:]
    var lineOf: [String: Int] = [:]
    for line in lines {
      let bytes = line.text.utf8
      guard line.text.hasPrefix("# "), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
        let name = String(bytes[bytes.startIndex..<colon].dropFirst(2))
      else {
        throw Self.malformed("\(quoted(line.text)) is not a header line \"# name: value\"", line.number)
      }
      // An editor may have stripped the trailing space of an empty value.
      let rest = bytes[bytes.index(after: colon)...]
      let value = Substring(rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest)
      guard Self.names.contains(name) else {
        throw Self.malformed(
          "unknown field \(quoted(name))\(didYouMean(name, among: Self.names))",
          line.number
        )
      }
      guard fields[name] == nil else {
        throw Self.malformed("the field \(quoted(name)) appears twice", line.number)
      }
      do throws(DriftError) { fields[name] = try unescapedFromGoldenFile(value) } catch {
        throw DriftError(.malformedGoldenFile, error.problem, fix: error.fix, place: "line \(line.number)")
      }
      lineOf[name] = line.number
    }
    func required(_ name: String) throws(DriftError) -> String {
      guard let value = fields[name] else {
        throw Self.malformed("the field \(quoted(name)) is missing", 1)
      }
      return value
    }
    func reading<Value>(_ name: String, _ read: (String) throws(PriceTagError) -> Value) throws(DriftError)
      -> Value
    {
      let value = try required(name)
      do throws(PriceTagError) { return try read(value) } catch {
        throw Self.malformed(error.problem, lineOf[name] ?? 1)
      }
    }
    versions = Versions(
      priceTag: try required("PriceTag"),
      icu: try required("ICU"),
      cldr: try required("CLDR"),
      unicode: try required("Unicode"),
      zones: fields["zones"] ?? ""
    )
    registry = try required("registry")
    catalog = fields["catalog"]
    self.reading = fields.filter { Self.readingNames.contains($0.key) }
    day = try reading("date") { (text) throws(PriceTagError) in try StoreDay(text) }
    style = try Self.style(try required("style"), lineOf["style"] ?? 1)
    switch try required("products") {
    case "approved": mode = .production
    case "all": mode = .development
    case let other:
      throw Self.malformed(
        "the field \"products\" must be \"approved\" or \"all\", not \(quoted(other))",
        lineOf["products"] ?? 1
      )
    }
    let list = { (text: String) in text.split(separator: " ").map(String.init) }
    storefronts = try required("storefronts") == "all" ? nil : list(try required("storefronts"))
    languages = try required("languages") == "store" ? nil : list(try required("languages"))
  }

  private static let names =
    ["PriceTag", "ICU", "CLDR", "Unicode", "zones", "registry", "catalog"] + readingNames
    + ["date", "style", "products", "storefronts", "languages"]

  static func style(_ text: String, _ line: Int) throws(DriftError) -> PriceStyle {
    var style = PriceStyle()
    for option in text.split(separator: " ") {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      let unknownOption = malformed("unknown style option \(quoted(option))", line)
      guard parts.count == 2 else { throw unknownOption }
      func value<Value: RawRepresentable<String>>(_: Value.Type) throws(DriftError) -> Value {
        guard let value = Value(rawValue: parts[1]) else { throw unknownOption }
        return value
      }
      switch parts[0] {
      case "width": style.width = try value(PriceStyle.Width.self)
      case "zeros": style.zeros = try value(PriceStyle.Zeros.self)
      case "sign": style.sign = try value(PriceStyle.Sign.self)
      case "rounding": style.rounding = try value(RoundingMode.self)
      case "grouping": style.grouping = try value(PriceStyle.Grouping.self)
      case "notation": style.notation = try value(PriceStyle.Notation.self)
      case "qualifier": style.qualifier = try value(PriceStyle.Qualifier.self)
      case "written-as":
        guard let form = try? PriceStyle.WrittenAs(parts[1]) else { throw unknownOption }
        style.writtenAs = form
      case "numbering":
        guard let name = try? PriceStyle.numberingSystem(parts[1]) else { throw unknownOption }
        style.numberingSystem = name
      case "digits":
        guard let digits = try? PriceStyle.Digits(parts[1]) else { throw unknownOption }
        style.digits = digits
      default: throw unknownOption
      }
    }
    return style
  }

  static func malformed(_ problem: String, _ line: Int) -> DriftError {
    DriftError(
      .malformedGoldenFile,
      problem,
      fix: "record the golden file again with this version of PriceTag",
      place: "line \(line)"
    )
  }

  /// Returns the error for a file of another kind.
  static func notAGoldenFile(_ problem: String) -> DriftError {
    DriftError(.malformedGoldenFile, problem, fix: "use a golden file that pricetag record wrote")
  }
}

extension LocaleData {
  /// Returns the versions that format the prices of a day.
  func versions(on day: StoreDay) -> Versions {
    // Dates come from ICU's time zones, also with a pack. A date for all storefronts needs none.
    let zones = if case .instant = day { Versions.current.zones } else { "" }
    return Versions(
      priceTag: versions.priceTag,
      icu: versions.icu,
      cldr: versions.cldr,
      unicode: versions.unicode,
      zones: zones
    )
  }
}
