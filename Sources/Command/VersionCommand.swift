import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagTemplates
import PriceTagText

/// `pricetag version` prints versions and licenses.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Print the versions of PriceTag, ICU, CLDR, Unicode and the time zones.",
    discussion: """
      Formatted prices may change with each of these versions. Store them with recorded prices.

      Examples:
        pricetag version --json
        pricetag version --licenses

      Exit codes: 0 done; 2 the command line is wrong.
      """
  )

  @Flag(help: "Print a JSON object.")
  var json = false

  @Flag(help: "Print the licenses of PriceTag and of the data and software in it.")
  var licenses = false

  func validate() throws {
    if json && licenses {
      throw ValidationError("--json and --licenses cannot be combined; remove one")
    }
  }

  func run() throws {
    if licenses {
      StandardOutput.write("\(String(cString: pricetag_notice()))\n\(String(cString: pricetag_license()))\n")
    } else {
      Self.printVersions(asJSON: json)
    }
  }

  static func printVersions(asJSON isJSON: Bool) {
    let versions = Versions.current
    let fields = [
      ("PriceTag", "pricetag", versions.priceTag), ("ICU", "icu", versions.icu),
      ("CLDR", "cldr", versions.cldr),
      ("Unicode", "unicode", versions.unicode), ("Time zones", "zones", versions.zones),
    ]
    StandardOutput.write(
      isJSON
        ? jsonObject(fields.map { ($1, PriceTagText.json($2)) }) + "\n"
        : fields.map { "\($0) \($2)\n" }.joined()
    )
  }
}
