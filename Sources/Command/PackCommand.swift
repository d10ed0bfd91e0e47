import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// `pricetag pack` writes what ICU knows about writing prices into a file.
struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Write a pack: a file of compiled patterns that formats prices without ICU.",
    discussion: """
      A pack pins how prices are displayed: the C library and the WebAssembly module format prices from it, whatever ICU \
      is installed. It has the formatters of storefronts, or of every combination of price locales and currencies, and \
      their spoken forms. The same options, data and ICU give the same bytes.

      Examples:
        pricetag pack -o store.pack
        pricetag pack --locales all --currencies USD,EUR --widths standard,iso -o world.pack
        pricetag pack --storefronts DEU,FRA --per kg,100mL -o groceries.pack
        pricetag pack --phrases en,de,ja --strings strings -o shop.pack
        pricetag pack --show store.pack
        pricetag pack --show cldr-48

      Exit codes: 0 the pack was written or shown; 1 it was not; 2 the command line is wrong; 3 the pack was written, \
      but without the combinations that standard error lists: no pattern reproduces ICU's output, or ICU cannot write them.
      """
  )

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The pack to write; - for standard output.", valueName: "file"),
    completion: .file()
  )
  var output: String?

  @Option(
    help: ArgumentHelp("Print what is inside a pack, and write none.", valueName: "file|name"),
    completion: .file()
  )
  var show: String?

  @Option(
    help: ArgumentHelp(
      "The storefronts: all, or a list such as USA,JPN (default: all, or none with --locales).",
      valueName: "all|ids"
    )
  )
  var storefronts: String?

  @Option(
    help: ArgumentHelp(
      "The price locales: all, or a list such as de-CH,ja-JP (default: none).",
      valueName: "all|tags"
    )
  )
  var locales: String?

  @Option(
    help: ArgumentHelp(
      """
      The currencies of the price locales: all current ones of ISO 4217, also funds, metals and units of account, or a \
      list such as CHF,JPY or all,DEM, also of custom currencies (default: all).
      """,
      valueName: "all|codes"
    )
  )
  var currencies: String?

  @Option(
    help: "The widths, each a style of its own: a list such as standard,iso (default: that of --width)."
  )
  var widths: String?

  @Option(
    help: ArgumentHelp(
      "The references of unit prices, which the pack then has in each style: a list such as kg,100mL (default: none).",
      valueName: "references"
    )
  )
  var per: String?

  @Flag(help: "Add each style with the digits of ISO 4217's minor units (--digits minor-units).")
  var minorUnits = false

  @Flag(help: "Omit the spoken forms.")
  var noSpoken = false

  @Option(
    help: ArgumentHelp(
      """
      The languages of the phrases about prices, such as "$9.99 per month": all, or a list such as en,de,ja (default: none).
      """,
      valueName: "all|tags"
    )
  )
  var phrases: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the shop's own messages, one file for each language.",
      valueName: "dir"
    ),
    completion: .directory
  )
  var strings: String?

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    guard (output == nil) != (show == nil) else {
      throw ValidationError("one of --output and --show is needed; add -o FILE to write a pack")
    }
    if let output, Pack.isName(output) {
      throw ValidationError(
        "\(output) is the name of a pack of PriceTag; write ./\(output) for a file of that name"
      )
    }
    if strings != nil, phrases == nil {
      throw ValidationError("--strings needs --phrases; add --phrases all, or remove --strings")
    }
    let isSelecting =
      [storefronts, locales, widths, per, phrases].contains { $0 != nil } || noSpoken || minorUnits
    if show != nil, isSelecting || style.style != PriceStyle() {
      throw ValidationError("--show prints all that a pack has; remove the options of what to write")
    }
    if currencies != nil, locales == nil {
      throw ValidationError("--currencies needs --locales; add --locales all, or remove --currencies")
    }
    if data.source.pack != nil {
      throw ValidationError("a pack is written from ICU's output, not from another pack; remove --pack")
    }
    if widths != nil, style.width != .standard {
      throw ValidationError("--width and --widths exclude each other; add the width to --widths")
    }
    if style.notation != .standard {
      throw ValidationError("a pack has no compact notation; use --notation standard")
    }
    if style.rounding != .exact {
      throw ValidationError(
        "a pack has no rounding mode; remove --rounding, and name the mode when a price is formatted"
      )
    }
  }

  func run() throws {
    if let show {
      try printContents(of: Pack(at: show))
      return
    }
    guard let output else { return }
    let localeData = try LocaleDataSource.load(folder: data.source.localeData)
    let date = try data.day.dateInUTC
    var writer = PackWriter(styles: try styles(), per: try references(), includesSpoken: !noSpoken, on: date)
    if storefronts != nil || locales == nil {
      for storefront in try ListingOptions.storefronts(storefronts, localeData) {
        writer.add(storefront, in: localeData)
      }
    }
    if let locales {
      let added = try currencies(localeData, on: date)
      for locale in try Self.locales(locales, localeData) { writer.add(locale, added) }
    }
    let phrases = try packPhrases()
    let bytes = writer.bytes(revision: try localeData.revision(), phrases: phrases?.bytes ?? [])
    guard bytes.count <= Pack.maximumByteCount else {
      throw PriceTagError(
        .invalidOption,
        "the pack would have \(counted(bytes.count, "byte")), more than \(Pack.maximumByteCount)",
        fix: "use fewer locales, currencies or styles"
      )
    }
    try Self.write(bytes, formatterCount: writer.formatterCount, to: output)
    for omission in phrases?.omissions ?? [] {
      StandardError.write("pricetag: not in the pack: \(omission)\n")
    }
    let omitted = writer.omissions
    for omission in omitted.prefix(10) {
      StandardError.write(
        "pricetag: not in the pack: \(omission.currency) in \(omission.locale), \(omission.style): \(omission.reason)\n"
      )
    }
    if omitted.count > 10 { StandardError.write("pricetag: and \(omitted.count - 10) more\n") }
    if !omitted.isEmpty { throw ExitCode(3) }
  }

  /// Writes a pack, and prints its size.
  static func write(_ bytes: [UInt8], formatterCount: Int, to output: String) throws {
    let file = try OutputFile(output)
    file.write(bytes)
    try file.finish()
    StandardError.write(
      "pricetag: wrote \(counted(formatterCount, "formatter")) in \(counted(bytes.count, "byte"))\n"
    )
  }

  private func packPhrases() throws -> PackPhrases? {
    guard let phrases else { return nil }
    var strings = try data.loadStrings()
    if let folder = self.strings { strings = strings.adding(try ShopStrings(folder: folder)) }
    let languages = try listItems(phrases).flatMap { tag in
      tag == "all" ? strings.languages : [try strings.closestLanguage(to: UILanguage(tag))]
    }
    return try PackPhrases(languages, of: strings)
  }

  private func styles() throws -> [PriceStyle] {
    let styles = try stylesOfWidths()
    guard minorUnits else { return styles }
    return styles
      + styles.map { style in
        var style = style
        style.digits = .minorUnits
        return style
      }
  }

  private func stylesOfWidths() throws -> [PriceStyle] {
    guard let widths else { return [style.style] }
    return try listItems(widths).map { name in
      guard let width = PriceStyle.Width(rawValue: name) else {
        throw PriceTagError(
          .invalidOption,
          "unknown width \(quoted(name))",
          fix: "use a list of \(PriceStyle.Width.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      var style = style.style
      style.width = width
      do { try style.checkConsistency() } catch { throw ValidationError("\(error)") }
      return style
    }
  }

  private func references() throws -> [UnitPriceReference] {
    try (per.map(listItems) ?? []).map { text in
      let reference = try UnitPriceReference(text)
      guard !reference.isPiece else {
        throw PriceTagError(
          .invalidOption,
          "a pack has no prices per piece, because CLDR has no pattern for them",
          fix: "remove \(quoted(text)), and put the price into a message, such as \"{price} each\""
        )
      }
      return reference
    }
  }

  private static func locales(_ list: String, _ localeData: LocaleData) throws -> [PriceLocale] {
    if list != "all" {
      return try listItems(list).map { try PriceLocale($0, allowsNumberingSystem: true) }
    }
    // Those that ICU lists, and those of storefronts, some of which use the data of another locale.
    let listed = LocaleTag.listed.compactMap { try? PriceLocale($0) }
    return Set(listed + localeData.storefronts.map(\.priceLocale)).sorted { $0.identifier < $1.identifier }
  }

  func currencies(_ localeData: LocaleData, on date: CalendarDate) throws -> [Currency] {
    try listItems(currencies ?? "all").flatMap { code in
      code == "all"
        ? localeData.currencies.filter { $0.kind != .custom && $0.isCurrent(on: date) }
        : [try Currency(code, in: localeData)]
    }
  }

  // MARK: Showing

  private func printContents(of pack: Pack) throws {
    func list(_ name: String, _ values: [String]) -> String {
      "\(name) (\(values.count))\(values.isEmpty ? "" : ": ")\(values.joined(separator: " "))\n"
    }
    let currencies = pack.currencyContents
    let custom = currencies.filter(\.isCustom).map(\.code)
    let phrases = pack.phraseContents
    StandardOutput.write(
      pack.versions.map { "\($0.name): \(printable($0.value))\n" }.joined()
        + list("storefronts", pack.storefronts) + list("locales", pack.locales)
        + list("currencies", currencies.filter { !$0.isCustom }.map(\.code))
        + (custom.isEmpty ? "" : list("custom currencies", custom))
        + "styles (\(pack.styleCount)):\n" + (try pack.styles).map { "  \($0)\n" }.joined()
        + "formatters: \(pack.formatterCount)\n"
        + (phrases.languages.isEmpty ? "" : list("languages", phrases.languages))
        + (phrases.keys.isEmpty ? "" : list("phrases", phrases.keys))
    )
  }
}
