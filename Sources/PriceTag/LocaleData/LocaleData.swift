import CICU
import PriceTagText

/// A registry of storefronts and currencies: the embedded one, or one with files of your own.
///
///     LocaleData.embedded.storefronts.count                    // 175
///     let custom = try LocaleData(folder: "/etc/pricetag")     // its files replace the embedded files
///     let store = try Storefront("JPN", in: custom)
///
/// `LocaleData/README.md` describes the files and their fields.
public struct LocaleData: Sendable {
  /// The registry that is embedded in the binary.
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
      // `embedded` cannot throw. Each lookup throws this error.
      contents = .failure(error)
    }
  }

  private init(_ contents: Contents) {
    self.contents = .success(contents)
  }

  /// Returns the embedded data, each entry of which is read when it is first used; `nil` if it must be read completely.
  package static func readEmbeddedOnDemand() -> LocaleData? { Contents.embedded().map(LocaleData.init) }

  /// Reads and checks the embedded data like the files of a folder.
  ///
  /// - Throws: `.invalidLocaleData`, as `init(folder:)` does.
  package static func readEmbeddedCompletely() throws(PriceTagError) -> LocaleData {
    try LocaleData(Loader.contents(of: nil))
  }

  /// Creates a registry from a folder.
  ///
  /// Each of the files `storefronts.json`, `currencies.json`, `currency-overrides.json` and `territories.json` in the folder
  /// replaces the complete embedded file with that name. `custom-currencies.json` adds currencies.
  ///
  /// - Throws: `.invalidLocaleData` with the file, entry and field, for example if a code or locale is unknown, dates
  ///   overlap, an entry is a duplicate, or the name of a field is misspelled.
  public init(folder: String) throws(PriceTagError) {
    let files = try LocaleDataFolder(folder)
    do throws(PriceTagError) {
      self.init(try Loader.contents(of: files))
    } catch {
      throw error.at(printable(folder))
    }
  }

  /// Returns the same registry, whose prices are formatted from a pack, whatever ICU is installed.
  ///
  ///     let pinned = try LocaleData.embedded.pinned(to: Pack(contentsOf: "store.pack"))
  ///     try PriceFormatter(storefront: Storefront("JPN", in: pinned)).string(for: "1200")   // "￥1,200"
  ///
  /// Every formatter of the storefronts and currencies of this registry uses the pack. What the pack does not have is an
  /// error of the formatter's initializer, `.missingFromPack`. A storefront whose currency or price locale is not that of
  /// the pack is the error `.packMismatch`. The registry's currency overrides have no effect: the pack contains those that
  /// it was written with.
  ///
  /// - Parameter pack: The pack. It replaces the one to which this registry is pinned.
  public func pinned(to pack: Pack) -> LocaleData {
    // Without contents, each lookup throws the error of reading them.
    guard let contents = try? unpinned.contents.get() else { return self }
    return LocaleData(Contents(contents, pinnedTo: pack))
  }

  /// The pack that formats the prices; `nil` for ICU.
  public var pack: Pack? { (try? contents.get())?.pinned?.pack }

  /// Returns the storefronts whose prices the pack does not have on a day; an empty array without a pack.
  package func storefrontsMissingFromPack(on day: StoreDay) -> [Storefront] {
    guard let form = pack?.writtenAs else { return [] }
    return storefronts.filter { storefront in
      do throws(PriceTagError) {
        _ = try PriceFormatter(
          storefront: storefront,
          on: day.date(in: storefront),
          style: PriceStyle(writtenAs: form)
        )
        return false
      } catch { return error.code == .missingFromPack || error.code == .packMismatch }
    }
  }

  /// The same registry without a pack.
  package var unpinned: LocaleData {
    (try? contents.get())?.pinned.map { LocaleData($0.unpinned) } ?? self
  }

  /// The versions of PriceTag, ICU, CLDR and Unicode that format the prices: those in use by this process, or those that
  /// wrote the pack.
  public var versions: Versions { pack?.writerVersions ?? .current }

  /// The storefronts, sorted by identifier. Empty if the embedded data is damaged.
  public var storefronts: [Storefront] {
    guard let slots = try? contents.get().storefronts.sorted else { return [] }
    return slots.compactMap { try? $0.storefront() }
  }

  /// The current, historic and custom currencies, sorted by code. Empty if the embedded data is damaged.
  public var currencies: [Currency] {
    guard let slots = try? contents.get().currencies.sorted else { return [] }
    return slots.compactMap { try? $0.currency() }
  }

  /// Returns a fingerprint of the registry's files, as 16 hexadecimal digits. It changes with any byte of any file.
  ///
  /// For a folder, this reads the files as they are now.
  ///
  /// - Throws: `.invalidLocaleData` if a file can no longer be read.
  public func revision() throws(PriceTagError) -> String {
    try LocaleDataFile.fingerprint(in: contents.get().folder)
  }

  /// A digest of the files from which the registry was read, and of its pack. Other than `revision()`, it does not change
  /// when the files change after they were read.
  package var digest: String {
    var digest = ContentDigest()
    let loaded = try? contents.get()
    digest.add(loaded?.digest)
    if let pack { digest.add(pack.fileBytes) } else { digest.addNull() }
    return digest.text
  }

  /// Returns the key of the source of a storefront's price locale; `nil` for an unknown storefront.
  func priceLocaleSource(of id: String) throws(PriceTagError) -> String? {
    try contents.get().storefronts[id]?.priceLocaleSource()
  }

  func storefront(_ id: String) throws(PriceTagError) -> Storefront {
    if let slot = try contents.get().storefronts[id] { return try slot.storefront() }
    let (problem, fix) = unknownStorefront(id, suggests: true)
    throw PriceTagError(.unknownStorefront, problem, fix: fix)
  }

  /// Returns the storefront for a buyer in a country: the country's own, or else that of `territories.json`.
  ///
  ///     try LocaleData.embedded.storefront(forBuyerIn: "JP").id   // "JPN"
  ///     try LocaleData.embedded.storefront(forBuyerIn: "MC").id   // "FRA": Monaco is not a storefront
  ///
  /// - Parameter country: The ISO 3166-1 alpha-2 code of the country. Case does not matter.
  /// - Throws: `.unknownStorefront` for a country that has neither.
  public func storefront(forBuyerIn country: String) throws(PriceTagError) -> Storefront {
    let contents = try contents.get()
    if let slot = contents.storefronts[country] { return try slot.storefront() }
    let map = if let map = contents.territories { map } else { try TerritoryMap.embedded.get() }
    // A folder's storefronts may lack one of the embedded map.
    // Uppercasing makes ASCII letters of some others.
    let code = country.utf8.allSatisfy { $0 < 0x80 } ? country.uppercased() : ""
    guard let slot = map.storefronts[code].flatMap({ contents.storefronts[$0] }) else {
      return try storefront(country)
    }
    return try slot.storefront()
  }

  /// Returns the problem and the fix for an unknown storefront.
  ///
  /// - Parameters:
  ///   - id: The unknown identifier.
  ///   - suggests: Whether to search for the closest match. The search takes most of the time, so a caller that rejects
  ///     many rows omits it for the later ones.
  package func unknownStorefront(_ id: String, suggests: Bool) -> (problem: String, fix: String) {
    var suggestion: String?
    if suggests, let contents = try? contents.get() {
      suggestion = contents.suggestions.storefront(for: id, isStorefront: { contents.storefronts[$0]?.id })
    }
    return (
      "unknown storefront \(quoted(id))",
      didYouMean(suggestion, otherwise: "use a code such as \"USA\" (pricetag storefronts lists all codes)")
    )
  }

  /// All identifiers of storefronts, alpha-3 and alpha-2, in capitals; `nil` if the embedded data is damaged.
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
        "\(quoted(code.uppercased())) is the ISO 4217 code for \(kind == "test" ? "testing" : "no currency")",
        fix: "use the currency of the price, such as \"USD\""
      )
    case nil: break
    }
    let suggestion = contents.suggestions.currency(for: code) { id in
      guard let store = try? contents.storefronts[id]?.storefront() else { return nil }
      // A territory's code means its own currency, but not the US dollars that its store may charge.
      let charged = store.latestCurrency.code
      return charged.hasPrefix(store.alpha2) || charged == "EUR" ? charged : nil
    }
    throw PriceTagError(
      .unknownCurrency,
      "unknown currency \(quoted(code))",
      fix: didYouMean(suggestion, otherwise: "use an ISO 4217 code such as \"USD\"")
    )
  }
}
