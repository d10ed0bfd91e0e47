import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagText

/// `pricetag storefronts` lists the storefronts.
struct StorefrontsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storefronts",
    abstract: "List the storefronts with currency, price locale, languages and an example price.",
    discussion: """
      Prints one line per storefront.

      Examples:
        pricetag storefronts
        pricetag storefronts JPN de
        pricetag storefronts BGR --at 2025-12-31
        pricetag storefronts --json

      With --pack, lists the storefronts that the pack has, and names the others once on standard error.

      Exit codes: 0 all storefronts were listed, or with --pack all that the pack has; 1 no storefront was listed; 2 the \
      command line is wrong; 3 some of the named storefronts are unknown, or the pack does not have them.
      """
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Flag(help: "Print a JSON array.")
  var json = false

  @Argument(
    help: ArgumentHelp(
      "The storefronts, by ISO 3166 alpha-3 or alpha-2 code (default: all).",
      valueName: "id"
    ),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  var ids: [String] = []

  func run() throws {
    let localeData = try data.load()
    let date = data.at ?? .today
    var lines: [String] = []
    var tally = Tally()
    // Storefronts that were not named, and that the pack does not have.
    var missing: [String] = []
    for id in ids.isEmpty ? localeData.storefronts.map(\.id) : ids {
      tally.attempt { () throws(PriceTagError) in
        let storefront = try Storefront(id, in: localeData)
        do throws(PriceTagError) {
          lines.append(try json ? storefront.json(on: date) : storefront.line(on: date))
        } catch {
          guard ids.isEmpty, error.code == .missingFromPack else { throw error }
          missing.append(storefront.id)
        }
      }
    }
    if json {
      StandardOutput.write(jsonArrayOfLines(lines))
    } else if !lines.isEmpty {
      StandardOutput.write(
        "ID   A2  CUR  LOCALE   LANGUAGES             PRICE\n" + lines.map { $0 + "\n" }.joined()
      )
    }
    if !missing.isEmpty {
      StandardOutput.flush()
      StandardError.write(
        "pricetag: \(missingFromPack(missing, of: localeData)); write it again with pricetag pack, and add them to --storefronts\n"
      )
      if lines.isEmpty { throw ExitCode(1) }
    }
    try tally.finish()
  }
}

/// Returns the sentence that names the storefronts of the locale data that its pack does not have.
func missingFromPack(_ storefronts: [String], of localeData: LocaleData) -> String {
  "the pack does not have \(storefronts.count) of \(counted(localeData.storefronts.count, "storefront")): \(storefronts.joined(separator: " "))"
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

/// Returns a JSON array of JSON values, one per line.
func jsonArrayOfLines(_ values: [String]) -> String {
  "[" + values.map { "\n" + $0 }.joined(separator: ",") + "\n]\n"
}
