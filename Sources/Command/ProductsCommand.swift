import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagStrings

/// `pricetag products` lists the products of a store.
struct ProductsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "products",
    abstract: "List the products of a store, with prices and texts.",
    discussion: """
      The storefront determines prices, and the language determines texts. Without identifiers, all products that the \
      store sells are listed. Identifiers of products that cannot be shown are reported on standard error; with \
      --development they are an error.

      Examples:
        pricetag products shop.json --storefront JPN --language en level1
        pricetag products shop.pricetag --storefront DEU
        pricetag products shop.pricetag --storefront USA --identifiers list.json
        pricetag products a.storekit --prices-of USA --storefront USA --json
        pricetag products shop.json --storefront DEU --unit-prices half-up

      Exit codes: 0 all products were listed; 1 the request failed; 2 the command line is wrong; 3 a requested product \
      cannot be shown, or a part of a file was rejected.
      """
  )

  @OptionGroup var source: CatalogArgument

  @Argument(
    help: ArgumentHelp(
      "The product identifiers (default: all products that the store sells).",
      valueName: "id"
    )
  )
  var ids: [String] = []

  @Option(
    help: ArgumentHelp("The storefront, such as USA or US.", valueName: "id"),
    completion: .storefronts
  )
  var storefront: String

  @Option(
    help: ArgumentHelp(
      "The language of the user, BCP 47 (default: the default language of the store).",
      valueName: "tag"
    )
  )
  var language: String?

  @Flag(help: "Fail for a language without UI strings, instead of using the default language of the store.")
  var strictLanguage = false

  @Option(
    help: ArgumentHelp("A file or URL with a list of more product identifiers.", valueName: "file|url"),
    completion: .file()
  )
  var identifiers: String?

  @Option(
    help: ArgumentHelp("The folder for fetched lists (default: the user's cache folder).", valueName: "dir"),
    completion: .directory
  )
  var cache: String?

  @Flag(help: "Include products that are not approved, and fail if a requested product cannot be shown.")
  var development = false

  @Flag(name: .customLong("no-payments"), help: "List the products for a user who may not make payments.")
  var noPayments = false

  @Option(
    help: ArgumentHelp(
      "Print the price per unit of each product's content, rounded by this mode (default: no unit prices).",
      valueName: "mode"
    )
  )
  var unitPrices: RoundingMode?

  @Flag(help: "Print the response as JSON.")
  var json = false

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func run() throws {
    let localeData = try data.load()
    let strings = try data.loadStrings()
    let store = try Storefront(storefront, in: localeData)
    let language = try strings.language(
      for: UILanguage(self.language ?? store.defaultLanguage),
      in: store,
      isStrict: strictLanguage
    )
    let (catalog, rejected) = try source.open(in: localeData)
    let (requested, isListComplete) = try requestedIdentifiers()
    let request = ProductsRequest(
      requested,
      storefront: store,
      language: language.productLanguage,
      isLanguageStrict: strictLanguage,
      at: try data.day,
      mode: development ? .development : .production,
      canMakePayments: !noPayments,
      style: style.style,
      unitPriceRounding: unitPrices,
      strings: strings
    )
    let response = try catalog.products(for: request)
    StandardOutput.write(json ? response.json + "\n" : ProductsTable(response: response).text)
    StandardOutput.flush()
    if !json { language.writeNote() }
    let isSelection = request.productIdentifiers != nil
    for invalid in response.invalidProductIdentifiers {
      StandardError.write("pricetag: \(isSelection ? "" : "omitted: ")\(invalid)\n")
    }
    if rejected > 0 || !isListComplete || (isSelection && !response.invalidProductIdentifiers.isEmpty) {
      throw ExitCode(3)
    }
  }

  /// Returns the identifiers of the command line and then those of the list; `nil` if there are neither.
  private func requestedIdentifiers() throws -> (identifiers: [String]?, isListComplete: Bool) {
    guard let identifiers else { return (ids.isEmpty ? nil : ids, true) }
    if identifiers.contains("://") { return try fetchedIdentifiers(identifiers) }
    let list = try ProductIdentifierList(path: inputPath(identifiers))
    try list.report(isDevelopment: development)
    return (ids + list.identifiers, list.rejects.isEmpty)
  }

  /// Returns the identifiers of the command line and then those of the list at a URL. The executable of the server fetches
  /// it, because the command has no network stack.
  private func fetchedIdentifiers(_ url: String) throws -> (identifiers: [String]?, isListComplete: Bool) {
    let options = (cache.map { ["--cache=\($0)"] } ?? []) + (development ? ["--development"] : [])
    let (output, end) = try ChildProcess.run(
      ServerExecutable.find().path,
      ["fetch-identifiers"] + options + ["--", NegativeAmount.unmarked(url)],
      // One more for each line's end.
      maximumByteCount: ProductIdentifierList.maximumByteCount + ProductIdentifierList.maximumCount
    )
    switch end {
    case .exit(0), .exit(3):
      // The child has checked the identifiers, so none is rejected here.
      let lines = output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      return (ids + ProductIdentifierList(identifiers: lines).identifiers, end == .exit(0))
    case .exit(let code) where code == 1 || code == 2:
      // The child has printed the error.
      throw ExitCode(code)
    default:
      throw CatalogError(
        .fetchFailed,
        "\(ServerExecutable.name) failed to fetch the list (\(end))",
        fix: "try again"
      )
    }
  }
}
