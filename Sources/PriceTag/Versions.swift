import CICU

/// Which PriceTag, ICU, CLDR and Unicode write the prices: a display may change with each of them.
public struct Versions: Hashable, Sendable {
  /// PriceTag's own version.
  public let priceTag: String
  /// ICU's version, such as 72.1.
  public let icu: String
  /// The version of ICU's CLDR data, such as 42.0.
  public let cldr: String
  /// The version of ICU's Unicode data, such as 15.0.
  public let unicode: String

  /// The version of this release: the one place that states it.
  package static let release = "0.1.0"

  /// Versions that something says it was made with.
  package init(priceTag: String, icu: String, cldr: String, unicode: String) {
    (self.priceTag, self.icu, self.cldr, self.unicode) = (priceTag, icu, cldr, unicode)
  }

  /// The versions that are running.
  public static let current: Versions = {
    var versions = CICUVersions()
    cicu_versions(&versions)
    return Versions(
      priceTag: release,
      icu: text(of: versions.icu),
      cldr: text(of: versions.cldr),
      unicode: text(of: versions.unicode)
    )
  }()
}
