import ArgumentParser
import PriceTag

/// `pricetag version`: what writes the prices.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Print the versions of PriceTag, ICU, CLDR and Unicode.",
    discussion: "A display may change with each of them: record the versions beside the displays."
  )

  @Flag(help: "Write a JSON object.")
  var json = false

  func run() throws {
    let versions = Versions.current
    let fields = [
      ("PriceTag", versions.priceTag), ("ICU", versions.icu), ("CLDR", versions.cldr),
      ("Unicode", versions.unicode),
    ]
    StandardOutput.write(
      json
        ? jsonObject(fields.map { ($0.lowercased(), PriceTag.json($1)) }) + "\n"
        : fields.map { "\($0) \($1)\n" }.joined()
    )
  }
}
