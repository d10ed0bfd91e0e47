extension PriceStyle {
  /// Returns the name of a numbering system, if CLDR has it and it writes decimal digits.
  ///
  ///     try PriceStyle.numberingSystem("latn")    // "latn"
  ///     try PriceStyle.numberingSystem("latin")   // throws: unknown decimal numbering system "latin"; …
  ///
  /// - Throws: `.invalidOption` for any other text.
  package static func numberingSystem(_ name: String) throws(PriceTagError) -> String {
    try LocaleTag.checkNumberingSystem(name, .invalidOption)
    return name
  }
}
