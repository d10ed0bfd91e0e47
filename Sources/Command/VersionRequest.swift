import PriceTag
import PriceTagCommandLine
import PriceTagText

/// The options of `pricetag version`, from either parser of the command line.
struct VersionRequest: Equatable {
  var writesJSON = false

  func run() {
    let versions = Versions.current
    let fields = [
      ("PriceTag", versions.priceTag), ("ICU", versions.icu), ("CLDR", versions.cldr),
      ("Unicode", versions.unicode),
    ]
    StandardOutput.write(
      writesJSON
        ? jsonObject(fields.map { ($0.lowercased(), PriceTagText.json($1)) }) + "\n"
        : fields.map { "\($0) \($1)\n" }.joined()
    )
  }
}
