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
        pricetag storefronts --evidence HUN TWN

      With --evidence, prints what is known of how each store writes its prices: what the price locale rests on, a price \
      that was seen on the store's web pages, ICU's text of it, and for position, symbol, space, decimal mark, decimals, group mark, \
      whole amounts, minimum grouping and secondary group size whether it was observed (o), inferred (i) or is unknown (-).

      With --pack, lists the storefronts that the pack has, and names the others once on standard error.

      Exit codes: 0 all storefronts were listed, or with --pack all that the pack has; 1 no storefront was listed; 2 the \
      command line is wrong; 3 some of the named storefronts are unknown, or the pack does not have them.
      """
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(help: "Print the evidence for how each store writes its prices.")
  var evidence = false

  @Argument(
    help: ArgumentHelp(
      "The storefronts, by ISO 3166 alpha-3 or alpha-2 code (default: all).",
      valueName: "id"
    ),
    completion: .storefronts
  )
  var ids: [String] = []

  func run() throws {
    let localeData = try data.load()
    let day = try data.day
    var lines: [String] = []
    var tally = Tally()
    // Storefronts that were not named, and that the pack does not have.
    var missing: [String] = []
    for id in ids.isEmpty ? localeData.storefronts.map(\.id) : ids {
      tally.attempt { () throws(PriceTagError) in
        let storefront = try Storefront(id, in: localeData)
        let date = try storefront.currencyDate(on: day)
        do throws(PriceTagError) {
          switch (evidence, json) {
          case (false, false): lines.append(try storefront.line(on: date))
          case (false, true): lines.append(try storefront.json(on: date))
          case (true, false): lines += try StorefrontEvidence(of: storefront, in: localeData, on: date).lines
          case (true, true): lines.append(try storefront.jsonWithEvidence(on: date, in: localeData))
          }
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
        (evidence
          ? "ID   CUR  LOCALE     BASIS  FORM      TEXTS  LAST SEEN   LANGUAGE  AGREES         SEEN, ICU\n"
          : "ID   A2  CUR  LOCALE   LANGUAGES             PRICE\n") + lines.map { $0 + "\n" }.joined()
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

extension StorefrontEvidence {
  /// The lines of the table: one for each language of the pages on which the form depends.
  fileprivate var lines: [String] {
    (forms + [unformed].compactMap(\.self)).map { form in
      let marks = form.properties.map { $0.basis == .observed ? "o" : "i" }.joined()
      let isolated = { (text: String?) in text.map { "\u{2068}\($0)\u{2069}" } ?? "-" }
      return padded(storefront.id, 5) + padded(currency.code, 5)
        + padded(storefront.priceLocale.identifier, 11)
        + padded(priceLocaleBasis, 7) + padded(marks.isEmpty ? "--------" : marks, 10)
        + padded("\(textCount)", 7) + padded(dates.map { "\($0.upperBound)" } ?? "-", 12)
        + padded(form.language ?? (forms.isEmpty ? "-" : "all"), 10)
        + padded(agreement.rawValue, 15) + isolated(form.example?.text) + "  " + isolated(form.icuText)
    }
  }
}

/// Returns a JSON array of JSON values, one per line.
func jsonArrayOfLines(_ values: [String]) -> String {
  "[" + values.map { "\n" + $0 }.joined(separator: ",") + "\n]\n"
}
