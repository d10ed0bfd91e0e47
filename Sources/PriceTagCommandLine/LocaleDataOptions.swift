import ArgumentParser
import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

extension Pack {
  /// Creates a pack from a name, or from the file of a path.
  package convenience init(at nameOrPath: String) throws(PriceTagError) {
    if Self.isName(nameOrPath) {
      try self.init(named: nameOrPath)
    } else {
      try self.init(contentsOf: nameOrPath)
    }
  }
}

/// The folder of the locale data, and the pack of the prices.
package struct LocaleDataSource: ParsableArguments {
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
      """
      A pack, from which prices are formatted instead of with ICU: a file, or a name such as cldr-48 (default: \
      PRICETAG_PACK, else none).
      """,
      valueName: "file|name"
    ),
    completion: .file()
  )
  package var pack: String?

  package init() {}

  /// Loads the data, whose prices are formatted from the pack if there is one.
  package func load() throws(PriceTagError) -> LocaleData {
    try Self.load(folder: localeData, pack: pack)
  }

  /// Loads the data of a folder, and pins it to a pack, or to that of the environment variable.
  ///
  /// - Parameters:
  ///   - option: The value of `--locale-data`.
  ///   - pack: The value of `--pack`.
  package static func load(folder option: String?, pack: String?) throws(PriceTagError) -> LocaleData {
    let localeData = try load(folder: option)
    guard let pack = pack ?? variable("PRICETAG_PACK") else { return localeData }
    return localeData.pinned(to: try Pack(at: pack))
  }

  /// Loads the data of a folder, else of the folder of the environment variable, else the embedded data. ICU formats its
  /// prices.
  ///
  /// - Parameter option: The value of `--locale-data`.
  package static func load(folder option: String?) throws(PriceTagError) -> LocaleData {
    guard let folder = folder(option) else { return .embedded }
    return try LocaleData(folder: folder)
  }

  private static func folder(_ option: String?) -> String? { option ?? variable("PRICETAG_LOCALE_DATA") }

  /// Returns the value of an environment variable; `nil` if it is missing or empty.
  fileprivate static func variable(_ name: String) -> String? {
    let value = getenv(name).map { String(cString: $0) } ?? ""
    return value.isEmpty ? nil : value
  }

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

/// The locale data, and the day for which storefronts, currencies and prices are looked up.
package struct LocaleDataOptions: ParsableArguments {
  @OptionGroup package var source: LocaleDataSource

  @Option(
    help: .setting(.at, "YYYY-MM-DD|instant"),
    transform: { try $0 == "today" ? today : StoreDay($0) }
  )
  package var at: StoreDay?

  /// The instant at which the run first needed it. The clock is not read again.
  package static let today = StoreDay.now

  /// The instant of `SOURCE_DATE_EPOCH`, else `today`.
  private static let started: Result<StoreDay, PriceTagError> = Result { () throws(PriceTagError) in
    guard let text = LocaleDataSource.variable("SOURCE_DATE_EPOCH") else { return today }
    guard let seconds = Int(text), let instant = try? Instant(secondsSince1970: seconds) else {
      throw PriceTagError(
        .malformedInstant,
        "the environment variable SOURCE_DATE_EPOCH is \(quoted(text)), not a number of seconds since 1970",
        fix: "correct it, or remove it from the environment"
      )
    }
    return .instant(instant)
  }

  /// The instant at which the run started, or that of `SOURCE_DATE_EPOCH` (reproducible-builds.org).
  ///
  /// - Throws: `.malformedInstant` if `SOURCE_DATE_EPOCH` is not a number of seconds.
  package static var start: StoreDay {
    get throws(PriceTagError) { try started.get() }
  }

  /// The day of `--at`, else the start of the run.
  package var day: StoreDay {
    get throws(PriceTagError) {
      if let at { return at }
      return try Self.start
    }
  }

  package init() {}

  /// Loads the data, whose prices are formatted from the pack if there is one.
  package func load() throws(PriceTagError) -> LocaleData { try source.load() }

  /// Loads the store's UI strings, from the folder if there is one.
  package func loadStrings() throws(StringsError) -> StoreStrings { try source.loadStrings() }
}
