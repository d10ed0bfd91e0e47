import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagText

/// `pricetag storefronts`: the registry.
struct StorefrontsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storefronts",
    abstract: "List the storefronts: currency, price locale, languages and how they write a price.",
    discussion: """
      Examples:
        pricetag storefronts                        all of them, a line each
        pricetag storefronts JPN de                 two of them, by alpha-3 or alpha-2
        pricetag storefronts BGR --at 2025-12-31    as of that day
        pricetag storefronts --json                 a JSON array
      """
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Flag(help: "Write a JSON array.")
  var json = false

  @Argument(
    help: ArgumentHelp("Storefronts; all where none is named.", valueName: "id"),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  var ids: [String] = []

  func run() throws {
    let localeData = try data.load()
    let date = data.at ?? .today
    var lines: [String] = []
    var tally = Tally()
    for id in ids.isEmpty ? localeData.storefronts.map(\.id) : ids {
      tally.attempt { () throws(PriceTagError) in
        let storefront = try Storefront(id, in: localeData)
        lines.append(try json ? storefront.json(on: date) : storefront.line(on: date))
      }
    }
    if json {
      StandardOutput.write(jsonArrayOfLines(lines))
    } else if !lines.isEmpty {
      StandardOutput.write(
        "ID   A2  CUR  LOCALE   LANGUAGES             PRICE\n" + lines.map { $0 + "\n" }.joined()
      )
    }
    try tally.finish()
  }
}

extension Storefront {
  fileprivate func line(on date: CalendarDate) throws(PriceTagError) -> String {
    let shown =
      languages.count > 3
      ? languages.prefix(2).joined(separator: " ") + " +\(languages.count - 2)"
      : languages.joined(separator: " ")
    return padded(id, 5) + padded(alpha2, 4) + padded(currency(on: date).code, 5)
      + padded(priceLocale.identifier, 9) + padded(shown, 22) + (try example(on: date)).isolated
  }
}

/// A JSON array of values that are JSON already, a line each.
func jsonArrayOfLines(_ values: [String]) -> String {
  "[" + values.map { "\n" + $0 }.joined(separator: ",") + "\n]\n"
}
