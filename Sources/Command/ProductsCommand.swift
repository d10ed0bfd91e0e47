import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagStrings

/// `pricetag products`: the products request of a store.
struct ProductsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "products",
    abstract: "Show products as one store shows them to one reader.",
    discussion: """
      Examples:
        pricetag products shop.json --storefront JPN --language en level1
        pricetag products shop.pricetag --storefront DEU     all that it sells
        pricetag products shop.pricetag --storefront USA --identifiers list.json
        pricetag products a.storekit --prices-of USA --storefront USA --json

      Prices are the storefront's, words are the language's. Identifiers that nothing can be shown for are told on \
      standard error, and the exit code is 3; with --development they are an error. Where no identifier is given, \
      products that the store does not sell are left out, and said to be.
      """
  )

  @OptionGroup var source: CatalogArgument

  @Argument(help: ArgumentHelp("Product identifiers; all products where none is given.", valueName: "id"))
  var ids: [String] = []

  @Option(
    help: ArgumentHelp("The store.", valueName: "id"),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  var storefront: String

  @Option(
    help: ArgumentHelp("The reader's language, BCP 47 (default: the store's default).", valueName: "tag")
  )
  var language: String?

  @Option(
    help: ArgumentHelp("A list of product identifiers: a file or a URL.", valueName: "file|url"),
    completion: .file()
  )
  var identifiers: String?

  @Option(
    help: ArgumentHelp("Where fetched lists are kept (default: the user's cache folder).", valueName: "dir"),
    completion: .directory
  )
  var cache: String?

  @Flag(help: "Show products that were not approved; identifiers that nothing can be shown for are an error.")
  var development = false

  @Flag(name: .customLong("no-payments"), help: "Answer as for a reader who may not make payments.")
  var noPayments = false

  @Flag(help: "Write the response as JSON.")
  var json = false

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func run() throws {
    let localeData = try data.load()
    let strings = try data.loadStrings()
    let store = try Storefront(storefront, in: localeData)
    let reader = try strings.nearest(UILanguage(language ?? store.defaultLanguage))
    let (catalog, setAside) = try source.open(data)
    let (asked, isListWhole) = try askedIdentifiers()
    let request = ProductsRequest(
      asked,
      storefront: store,
      language: reader,
      at: data.at ?? .today,
      mode: development ? .development : .production,
      canMakePayments: !noPayments,
      style: style.style,
      strings: strings
    )
    let response = try catalog.products(for: request)
    StandardOutput.write(json ? response.json + "\n" : ProductsTable(response).text)
    StandardOutput.flush()
    let isAsked = request.productIdentifiers != nil
    for invalid in response.invalidProductIdentifiers {
      StandardError.write("pricetag: \(isAsked ? "" : "left out: ")\(invalid)\n")
    }
    if setAside > 0 || !isListWhole || (isAsked && !response.invalidProductIdentifiers.isEmpty) {
      throw ExitCode(3)
    }
  }

  /// The identifiers of the command line, and behind them those of the list; `nil` where neither is given.
  private func askedIdentifiers() throws -> (identifiers: [String]?, isListWhole: Bool) {
    guard let identifiers else { return (ids.isEmpty ? nil : ids, true) }
    let list = try ProductIdentifierSource(identifiers, cache: cache, isDevelopment: development).read()
    return (ids + list.identifiers, list.isComplete)
  }
}
