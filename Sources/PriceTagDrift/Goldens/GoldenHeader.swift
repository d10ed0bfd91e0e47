import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// What a golden was made of, and with what: its first lines.
public struct GoldenHeader: Hashable, Sendable {
  /// The versions that wrote the displays.
  public var versions: Versions
  /// The registry of storefronts and currencies: `LocaleData.revision()`.
  public var registry: String
  /// The catalogue's file, from the golden's folder; `nil` where it was none.
  public var catalog: String?
  /// How the file was read: the arguments `from`, `prices-of`, `reinterpret-as` and `texts-in` of the command.
  public var reading: [String: String]
  /// The day whose prices and currencies are displayed.
  public var date: CalendarDate
  /// How prices are written.
  public var style: PriceStyle
  /// Which products are displayed.
  public var mode: ProductsRequest.Mode
  /// The storefronts; `nil` for all of the registry.
  public var storefronts: [String]?
  /// The languages; `nil` for each store's own.
  public var languages: [String]?

  /// A header of what a request asks for, made by what is running.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - localeData: The registry; a request for all of its storefronts is one for all.
  ///   - catalog: The catalogue's file, from the golden's folder.
  ///   - reading: How the file is read.
  /// - Throws: `.catalogFailed` where the registry cannot be read any more.
  public init(
    _ request: ListingRequest,
    in localeData: LocaleData = .embedded,
    catalog: String? = nil,
    reading: [String: String] = [:]
  ) throws(DriftError) {
    versions = .current
    do throws(PriceTagError) { registry = try localeData.revision() } catch {
      throw DriftError(.catalogFailed, error)
    }
    (self.catalog, self.reading) = (catalog, reading)
    (date, style, mode) = (request.date, request.style, request.mode)
    let ids = request.storefronts.map(\.id)
    storefronts = Set(ids) == Set(localeData.storefronts.map(\.id)) ? nil : ids.sorted()
    languages =
      switch request.languages {
      case .store: nil
      case .list(let languages): languages.map(\.identifier).sorted()
      }
  }

  /// The request that gives the displays again.
  ///
  /// - Parameters:
  ///   - date: Another day than the golden's.
  ///   - localeData: Where the storefronts are looked up.
  ///   - strings: The words around prices.
  /// - Throws: `.malformedGolden` for a storefront or language that is not known.
  public func request(
    at date: CalendarDate? = nil,
    in localeData: LocaleData = .embedded,
    strings: StoreStrings = .embedded
  ) throws(DriftError) -> ListingRequest {
    var stores = localeData.storefronts
    if let storefronts {
      stores = []
      for id in storefronts {
        do throws(PriceTagError) { stores.append(try Storefront(id, in: localeData)) } catch {
          throw DriftError(.malformedGolden, error).at("storefronts")
        }
      }
    }
    var asked: ListingRequest.Languages = .store
    if let languages {
      var list: [UILanguage] = []
      for tag in languages {
        do throws(StringsError) { list.append(try UILanguage(tag)) } catch {
          throw DriftError(.malformedGolden, error).at("languages")
        }
      }
      asked = .list(list)
    }
    return ListingRequest(
      storefronts: stores,
      languages: asked,
      at: date ?? self.date,
      mode: mode,
      style: style,
      strings: strings
    )
  }

  // MARK: Lines

  static let title = "PriceTag golden 1"
  /// The arguments of the command that say how a catalogue is read.
  static let readingNames = ["from", "prices-of", "reinterpret-as", "texts-in"]

  /// The lines of the header, each with its end, and the names of the columns.
  public var lines: String {
    var fields = [
      ("PriceTag", versions.priceTag), ("ICU", versions.icu), ("CLDR", versions.cldr),
      ("Unicode", versions.unicode), ("registry", registry),
    ]
    if let catalog { fields.append(("catalog", catalog)) }
    for name in Self.readingNames { if let value = reading[name] { fields.append((name, value)) } }
    fields += [("date", date.description)] + request
    return "# \(Self.title)\n" + fields.map { "# \($0): \(goldenEscaped($1))\n" }.joined() + Self.columns
      + "\n"
  }

  /// What is displayed, and how.
  private var request: [(String, String)] {
    [
      (
        "style",
        "width=\(style.width.rawValue) zeros=\(style.zeros.rawValue) sign=\(style.sign.rawValue) "
          + "digits=\(style.digits) rounding=\(style.rounding.rawValue)"
      ),
      ("products", mode == .development ? "all" : "approved"),
      ("storefronts", storefronts?.joined(separator: " ") ?? "all"),
      ("languages", languages?.joined(separator: " ") ?? "store"),
    ]
  }

  /// The same on a line.
  var made: String { request.map { "\($0) \($1)" }.joined(separator: ", ") }

  /// The names of the columns, as they stand behind the header.
  static let columns = RecordedDisplay.Field.allCases.map(\.rawValue).joined(separator: "\t")

  /// A line of a file.
  struct Line {
    let text: String
    /// From 1.
    let number: Int
  }

  /// Holds the first line of a file against the title.
  ///
  /// - Throws: `.malformedGolden`.
  static func checkTitle(_ text: String, _ number: Int) throws(DriftError) {
    if text == "# \(title)" { return }
    let start = "# PriceTag golden "
    guard text.hasPrefix(start) else {
      throw noGolden("the file does not start with \"# \(title)\"").at("line \(number)")
    }
    throw malformed(
      "the golden is of version \(quoted(text.dropFirst(start.count))), and this PriceTag reads version 1",
      number
    )
  }

  /// A header of its lines behind the title, without their ends.
  ///
  /// - Throws: `.malformedGolden`, with the line.
  init(lines: [Line]) throws(DriftError) {
    var fields: [String: String] = [:]
    var lineOf: [String: Int] = [:]
    for line in lines {
      let bytes = line.text.utf8
      guard line.text.hasPrefix("# "), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
        let name = String(bytes[bytes.startIndex..<colon].dropFirst(2))
      else { throw Self.malformed("\(quoted(line.text)) is no \"# name: value\"", line.number) }
      // Editors may have taken the space off the end of an empty one.
      let rest = bytes[bytes.index(after: colon)...]
      let value = Substring(rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest)
      guard Self.names.contains(name) else {
        throw Self.malformed(
          "there is no field \(quoted(name))\(didYouMean(name, among: Self.names))",
          line.number
        )
      }
      guard fields[name] == nil else {
        throw Self.malformed("the field \(quoted(name)) stands twice", line.number)
      }
      do throws(DriftError) { fields[name] = try goldenUnescaped(value) } catch {
        throw DriftError(.malformedGolden, error.problem, fix: error.fix, place: "line \(line.number)")
      }
      lineOf[name] = line.number
    }
    func required(_ name: String) throws(DriftError) -> String {
      guard let value = fields[name] else { throw Self.malformed("the header has no \(quoted(name))", 1) }
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
      unicode: try required("Unicode")
    )
    registry = try required("registry")
    catalog = fields["catalog"]
    self.reading = fields.filter { Self.readingNames.contains($0.key) }
    date = try reading("date") { (text) throws(PriceTagError) in try CalendarDate(text) }
    style = try Self.style(try required("style"), lineOf["style"] ?? 1)
    switch try required("products") {
    case "approved": mode = .production
    case "all": mode = .development
    case let other:
      throw Self.malformed("products are approved or all, not \(quoted(other))", lineOf["products"] ?? 1)
    }
    let list = { (text: String) in text.split(separator: " ").map(String.init) }
    storefronts = try required("storefronts") == "all" ? nil : list(try required("storefronts"))
    languages = try required("languages") == "store" ? nil : list(try required("languages"))
  }

  private static let names =
    ["PriceTag", "ICU", "CLDR", "Unicode", "registry", "catalog"] + readingNames
    + ["date", "style", "products", "storefronts", "languages"]

  private static func style(_ text: String, _ line: Int) throws(DriftError) -> PriceStyle {
    var style = PriceStyle()
    for option in text.split(separator: " ") {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      let wrong = malformed("\(quoted(option)) is no option of a style", line)
      guard parts.count == 2 else { throw wrong }
      func value<Value: RawRepresentable<String>>(_: Value.Type) throws(DriftError) -> Value {
        guard let value = Value(rawValue: parts[1]) else { throw wrong }
        return value
      }
      switch parts[0] {
      case "width": style.width = try value(PriceStyle.Width.self)
      case "zeros": style.zeros = try value(PriceStyle.Zeros.self)
      case "sign": style.sign = try value(PriceStyle.Sign.self)
      case "rounding": style.rounding = try value(RoundingMode.self)
      case "digits":
        guard let digits = try? PriceStyle.Digits(parts[1]) else { throw wrong }
        style.digits = digits
      default: throw wrong
      }
    }
    return style
  }

  static func malformed(_ problem: String, _ line: Int) -> DriftError {
    DriftError(
      .malformedGolden,
      problem,
      fix: "record the golden again, with the version of PriceTag that checks it",
      place: "line \(line)"
    )
  }

  /// A file that is something else.
  static func noGolden(_ problem: String) -> DriftError {
    DriftError(.malformedGolden, problem, fix: "give a golden, as pricetag record writes it")
  }
}
