import PriceTagText

extension PriceStyle {
  /// Returns the name of a numbering system, if CLDR has it and it writes decimal digits.
  ///
  ///     try PriceStyle.numberingSystem("latn")    // "latn"
  ///     try PriceStyle.numberingSystem("latin")   // throws: unknown decimal numbering system "latin"; …
  ///
  /// - Throws: `.invalidOption` for any other text.
  package static func numberingSystem(_ name: String) throws(PriceTagError) -> String {
    guard LocaleTag.isDecimalNumberingSystem(name) else {
      throw PriceTagError(
        .invalidOption,
        "unknown decimal numbering system \(quoted(name))",
        fix: "use a CLDR name such as \"latn\", \"arab\" or \"deva\""
      )
    }
    return name
  }
}
