import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagStrings

/// What of a catalogue is displayed: in which storefronts, for readers of which languages.
struct ListingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Of a catalogue: all storefronts, or some, as USA,JPN,… (default: all).",
      valueName: "all|ids"
    )
  )
  var storefronts: String?

  @Option(
    help: ArgumentHelp(
      "Of a catalogue: each store's own languages, all that there are words in, or some, as en,ja,… (default: store).",
      valueName: "store|all|tags"
    )
  )
  var languages: String?

  @Flag(help: "Of a catalogue: also products that were not approved.")
  var development = false

  /// What the options ask for.
  func request(
    _ data: LocaleDataOptions,
    _ localeData: LocaleData,
    _ style: PriceStyle
  ) throws -> ListingRequest {
    let strings = try data.loadStrings()
    return ListingRequest(
      storefronts: try askedStorefronts(localeData),
      languages: try askedLanguages(strings),
      at: data.at ?? .today,
      mode: development ? .development : .production,
      style: style,
      strings: strings
    )
  }

  private func askedStorefronts(_ localeData: LocaleData) throws -> [Storefront] {
    guard let storefronts, storefronts != "all" else { return localeData.storefronts }
    return try storefronts.split(separator: ",", omittingEmptySubsequences: false).map {
      try Storefront(String($0), in: localeData)
    }
  }

  private func askedLanguages(_ strings: StoreStrings) throws -> ListingRequest.Languages {
    switch languages ?? "store" {
    case "store": .store
    case "all": .list(strings.languages)
    case let tags:
      .list(
        try tags.split(separator: ",", omittingEmptySubsequences: false).map {
          try strings.answering(String($0))
        }
      )
    }
  }
}
