import ArgumentParser
import PriceTag
import PriceTagStrings
import PriceTagText

/// Where storefronts and currencies are read from, and the day they are read for.
package struct LocaleDataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A folder whose files replace the embedded locale data (or PRICETAG_LOCALE_DATA).",
      valueName: "dir"
    ),
    completion: .directory
  )
  package var localeData: String?

  @Option(
    help: ArgumentHelp(
      "The day whose currencies and prices hold, or today (default: today in UTC; for check, the golden's day).",
      valueName: "YYYY-MM-DD"
    ),
    transform: { text in
      if text == "today" { return .today }
      do { return try CalendarDate(text) } catch { throw ValidationError("\(error)") }
    }
  )
  package var at: CalendarDate?

  package init() {}

  package func load() throws(PriceTagError) -> LocaleData { try Self.load(folder: localeData) }

  /// The folder that was given, by flag or variable.
  package var folder: String? { Self.folder(localeData) }

  /// The data of the folder that the flag gives, else of the variable's, else the embedded data.
  package static func load(folder flag: String?) throws(PriceTagError) -> LocaleData {
    guard let folder = folder(flag) else { return .embedded }
    return try LocaleData(folder: folder)
  }

  private static func folder(_ flag: String?) -> String? {
    let variable = getenv("PRICETAG_LOCALE_DATA").map { String(cString: $0) } ?? ""
    return flag ?? (variable.isEmpty ? nil : variable)
  }
}

extension LocaleDataOptions {
  /// The store's strings, of the folder where one is given.
  package func loadStrings() throws(StringsError) -> StoreStrings {
    guard let folder else { return .embedded }
    return try StoreStrings(folder: folder)
  }
}
