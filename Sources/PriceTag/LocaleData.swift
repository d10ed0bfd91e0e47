import CICU
import PriceTagText

/// The registry of storefronts and currencies: what is embedded, or a folder's files in its place.
///
///     LocaleData.embedded.storefronts.count                    // 175
///     let ours = try LocaleData(folder: "/etc/pricetag")       // its files replace the embedded ones
///     let store = try Storefront("JPN", in: ours)
///
/// The files and their fields are described in `LocaleData/README.md`.
public struct LocaleData: Sendable {
  /// What the binary carries.
  public static let embedded = LocaleData()

  private let contents: Result<Contents, PriceTagError>

  private init() {
    if let data = Self.readEmbeddedOnDemand() {
      self = data
      return
    }
    do throws(PriceTagError) {
      self = try Self.readEmbeddedCompletely()
    } catch {
      // A lookup tells: `embedded` itself cannot throw.
      contents = .failure(error)
    }
  }

  private init(_ contents: Contents) {
    self.contents = .success(contents)
  }

  /// The embedded data, of which each entry is read when it is first needed; `nil` where it has to be read completely.
  package static func readEmbeddedOnDemand() -> LocaleData? { Contents.embedded().map(LocaleData.init) }

  /// The embedded data, read and checked as a folder's files are.
  ///
  /// - Throws: `.invalidLocaleData`, as `init(folder:)`.
  package static func readEmbeddedCompletely() throws(PriceTagError) -> LocaleData {
    try LocaleData(Loader.contents(of: nil))
  }

  /// The data of a folder: `storefronts.json`, `currencies.json` and `currency-overrides.json` replace the embedded
  /// files of the same name, whole.
  ///
  /// - Throws: `.invalidLocaleData`, naming file, entry and field: a wrong code, an unknown locale, an overlap of
  ///   dates, a duplicate, a misspelt field.
  public init(folder: String) throws(PriceTagError) {
    let files = try LocaleDataFolder(folder)
    do throws(PriceTagError) {
      self.init(try Loader.contents(of: files))
    } catch {
      throw error.at(printable(folder))
    }
  }

  /// The storefronts in the order of their identifiers. Empty where the embedded data is damaged.
  public var storefronts: [Storefront] {
    guard let slots = try? contents.get().storefronts.sorted else { return [] }
    return slots.compactMap { try? $0.storefront() }
  }

  /// The currencies in the order of their codes, historic ones too. Empty where the embedded data is damaged.
  public var currencies: [Currency] {
    guard let slots = try? contents.get().currencies.sorted else { return [] }
    return slots.compactMap { try? $0.currency() }
  }

  /// Which registry it is, as 16 hexadecimal digits: other bytes in any of its files give another one. Of a folder it
  /// is that of the files as they are now.
  ///
  /// - Throws: `.invalidLocaleData` where a file cannot be read any more.
  public func revision() throws(PriceTagError) -> String {
    try LocaleDataFile.fingerprint(in: contents.get().folder)
  }

  func storefront(_ id: String) throws(PriceTagError) -> Storefront {
    if let slot = try contents.get().storefronts[id] { return try slot.storefront() }
    let (problem, fix) = unknownStorefront(id, suggests: true)
    throw PriceTagError(.unknownStorefront, problem, fix: fix)
  }

  /// What is wrong with a storefront that is unknown, and what to do. The end of many of them may do without a
  /// suggestion: to search for one takes most of the time.
  package func unknownStorefront(_ id: String, suggests: Bool) -> (problem: String, fix: String) {
    let problem = "no storefront is called \(quoted(id))"
    guard suggests, let contents = try? contents.get(),
      let meant = contents.names.storefront(meantBy: id, isStorefront: { contents.storefronts[$0]?.id })
    else { return (problem, "give a territory such as USA; pricetag storefronts lists them all") }
    return (problem, "give a territory such as USA\(didYouMean(meant)); pricetag storefronts lists them all")
  }

  /// The identifiers that storefronts are found by, in capitals; `nil` where the embedded data is damaged.
  package var storefrontIdentifiers: [String]? {
    (try? contents.get()).map { $0.storefronts.sorted.flatMap { [$0.id, $0.alpha2] } }
  }

  func currency(_ code: String) throws(PriceTagError) -> Currency {
    let contents = try contents.get()
    switch try contents.currencies[code]?.contents() {
    case .currency(let currency): return currency
    case .notMoney(let kind):
      throw PriceTagError(
        .unknownCurrency,
        "\(code.uppercased()) is ISO 4217's code for \(kind == "test" ? "testing" : "no currency")",
        fix: "give the currency of the price, such as USD"
      )
    case nil: break
    }
    let meant = contents.names.currency(meantBy: code) { id in
      guard let store = try? contents.storefronts[id]?.storefront() else { return nil }
      // Of a territory's own money its code is another name, of US dollars it is none.
      let charged = store.latestCurrency.code
      return charged.hasPrefix(store.alpha2) || charged == "EUR" ? charged : nil
    }
    throw PriceTagError(
      .unknownCurrency,
      "\(quoted(code)) is not an ISO 4217 code",
      fix: "give three letters such as USD" + didYouMean(meant)
    )
  }

}
