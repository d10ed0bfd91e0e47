import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagText

/// `pricetag endings` checks the endings of a catalog's prices.
struct EndingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "endings",
    abstract: "Check the endings of a catalog's prices, such as .99, by rules for each currency.",
    discussion: """
      Prints each price whose ending the rules do not allow, with the closest allowed prices below and above. Checks the \
      prices of products, offers and tiers that apply on the date of --at or later. The catalog is never changed: --fix \
      writes corrected prices to a new file. With --pack, findings in storefronts that the pack does not have show the amount \
      and the currency's code.

      A file of rules: {"schema": 1, "rules": {"USD": [".99", ".95"], "JPY": ["x0", "x9"], "CHF": null, "*": ["/5"]}}

      Examples:
        pricetag endings shop.pricetag --rules endings.json
        pricetag endings shop.json --rules endings.json --storefronts USA,JPN
        pricetag endings shop.json --rules endings.json --fix up -o new.json

      Exit codes: 0 all endings are allowed; 1 the check failed; 2 the command line is wrong; 3 an ending is not allowed, \
      or a part of the catalog file was rejected.
      """
  )

  @OptionGroup var source: CatalogArgument

  @Option(
    help: ArgumentHelp("The file of the rules, JSON; - for standard input.", valueName: "file"),
    completion: .file()
  )
  var rules: String

  @Option(
    help: ArgumentHelp(
      "The storefronts to check: all, or a list such as USA,JPN (default: all).",
      valueName: "all|ids"
    )
  )
  var storefronts: String?

  @Flag(help: "Print the findings as JSON Lines.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Correct the prices in the file of -o: up or down to the closest allowed price, or to the nearest one (the lower one of two).",
      valueName: "direction"
    )
  )
  var fix: PriceEndingRule.Direction?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The new catalog file with the corrected prices, which ends in .json or .jsonl.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output: String?

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if source.catalog == "-", rules == "-" {
      throw ValidationError("standard input (-) appears twice; use it for one file only")
    }
    if fix != nil, output == nil {
      throw ValidationError("--fix requires a file for the corrected catalog; add -o FILE")
    }
    guard let output else { return }
    if fix == nil {
      throw ValidationError("-o requires a direction; add --fix up, down or nearest")
    }
    if Self.format(of: output) == nil {
      throw ValidationError(
        "the format of \(quoted(output)) is unknown; use a file that ends in .json or .jsonl"
      )
    }
  }

  /// Returns the format of a catalog file, by its ending.
  private static func format(of path: String) -> ExportFormat? {
    let name = path.lowercased()
    return name.hasSuffix(".json") ? .json : name.hasSuffix(".jsonl") ? .jsonl : nil
  }

  func run() throws {
    if let output {
      try OutputFile.requireDistinct(
        output,
        from: [("the catalog", source.catalog), ("the rules", rules)]
      )
    }
    let localeData = try data.load()
    let check = PriceEndingCheck(
      try PriceEndingRules(CatalogFile(path: inputPath(rules)), in: localeData),
      storefronts: try ListingOptions.storefronts(storefronts, localeData),
      at: try data.day
    )
    let (catalog, rejected) = try source.open(in: localeData)
    if let output, let fix, let format = Self.format(of: output) {
      let file = try OutputFile(output)
      try catalog.export(
        as: format,
        to: { file.write($0) },
        changing: { (item) throws(CatalogError) in
          try check.check(item, correcting: fix, onFinding: report)
        }
      )
      try file.finish()
    } else {
      try catalog.forEachItem { (item) throws(CatalogError) in try check.check(item, onFinding: report) }
    }
    StandardOutput.flush()
    writeSummary(of: check)
    let unwritten = check.unwrittenStorefronts
    if !unwritten.isEmpty {
      StandardError.write(
        "pricetag: \(missingFromPack(unwritten, of: localeData)); their findings have the amount and the currency's code instead of the price\n"
      )
    }
    if check.findingCount > 0 || rejected > 0 { throw ExitCode(3) }
  }

  private func report(_ finding: PriceEndingFinding) {
    StandardOutput.write((json ? finding.json : finding.description) + "\n")
  }

  private func writeSummary(of check: PriceEndingCheck) {
    let unchecked = check.uncheckedCount
    let (findings, corrected) = (check.findingCount, check.correctedCount)
    StandardError.write(
      "pricetag: \(counted(check.checkedCount, "price")) checked, \(counted(findings, "finding"))"
        + (fix == nil ? "" : "; \(corrected) corrected, \(findings - corrected) unchanged")
        + (unchecked > 0 ? "; \(counted(unchecked, "price")) in currencies without a rule\n" : "\n")
    )
  }
}

extension PriceEndingRule.Direction: ExpressibleByArgument {}
