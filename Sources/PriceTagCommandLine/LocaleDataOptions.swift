import ArgumentParser
import PriceTag
import PriceTagStrings
import PriceTagText

/// The folder of the locale data, and the date for which storefronts, currencies and prices are looked up.
package struct LocaleDataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A folder whose files replace the embedded locale data (default: PRICETAG_LOCALE_DATA, else none).",
      valueName: "dir"
    ),
    completion: .directory
  )
  package var localeData: String?

  @Option(
    help: ArgumentHelp(
      "The date of the currencies and prices, or today (default: today in UTC; for check, the date of the golden file).",
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

  /// The folder of the option, else of the environment variable; `nil` for the embedded data.
  package var folder: String? { Self.folder(localeData) }

  /// Loads the data of a folder, else of the folder of the environment variable, else the embedded data.
  ///
  /// - Parameter option: The value of `--locale-data`.
  package static func load(folder option: String?) throws(PriceTagError) -> LocaleData {
    guard let folder = folder(option) else { return .embedded }
    return try LocaleData(folder: folder)
  }

  private static func folder(_ option: String?) -> String? {
    let variable = getenv("PRICETAG_LOCALE_DATA").map { String(cString: $0) } ?? ""
    return option ?? (variable.isEmpty ? nil : variable)
  }
}

extension LocaleDataOptions {
  /// Loads the store's UI strings, from the folder if there is one.
  package func loadStrings() throws(StringsError) -> StoreStrings { try Self.loadStrings(folder: localeData) }

  /// Loads the UI strings of a folder, else of the folder of the environment variable, else the embedded strings.
  ///
  /// - Parameter option: The value of `--locale-data`.
  package static func loadStrings(folder option: String?) throws(StringsError) -> StoreStrings {
    guard let folder = folder(option) else { return .embedded }
    return try StoreStrings(folder: folder)
  }
}
