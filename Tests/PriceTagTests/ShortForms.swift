import PriceTag

extension PriceFormatter {
  /// Creates the formatter of a storefront.
  init(_ storefront: String, in data: LocaleData = .embedded, _ style: PriceStyle = PriceStyle()) throws {
    try self.init(storefront: Storefront(storefront, in: data), style: style)
  }

  /// Creates a formatter for a price locale and a currency.
  init(
    _ locale: String,
    _ currency: String,
    in data: LocaleData = .embedded,
    _ style: PriceStyle = PriceStyle()
  ) throws {
    let locale = try PriceLocale(locale, allowsNumberingSystem: true)
    try self.init(locale: locale, currency: Currency(currency, in: data), style: style)
  }
}

extension LocaleData {
  /// Reads a folder with these files.
  init(_ files: [String: String]) throws {
    let folder = try Folder(files)
    try self.init(folder: folder.path)
  }
}

extension Storefront {
  /// Finds a storefront whose prices have these fields of an override.
  init(_ id: String, overriding fields: String) throws {
    let entry = "{\"storefront\":\"\(id)\",\(fields),\"reason\":\"r\"}"
    try self.init(id, in: LocaleData(["currency-overrides.json": LocaleDataTests.overrides(entry)]))
  }
}

extension PriceStyle {
  /// The same style with rounding.
  var rounded: PriceStyle {
    var style = self
    style.rounding = .halfEven
    return style
  }
}
