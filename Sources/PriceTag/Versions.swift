import CICU
import PriceTagSystem

/// The versions of PriceTag, ICU, CLDR, Unicode and the time zones that decide the prices. A formatted price may change with each of them.
///
///     Versions.current.icu    // "72.1"
///     Versions.current.cldr   // "42.0"
public struct Versions: Hashable, Sendable {
  /// The version of PriceTag.
  public let priceTag: String
  /// The version of ICU, such as 72.1.
  public let icu: String
  /// The version of ICU's CLDR data, such as 42.0.
  public let cldr: String
  /// The version of ICU's Unicode data, such as 15.0.
  public let unicode: String
  /// The version of ICU's time zones, such as 2022e; empty if it is not known.
  public let zones: String

  /// The version of this release. It is defined only here.
  package static let release = "0.1.0"

  /// Creates versions, such as those recorded in a file.
  package init(priceTag: String, icu: String, cldr: String, unicode: String, zones: String = "") {
    (self.priceTag, self.icu, self.cldr, self.unicode) = (priceTag, icu, cldr, unicode)
    self.zones = zones
  }

  /// The versions in use by this process.
  public static let current: Versions = {
    var versions = CICUVersions()
    cicu_versions(&versions)
    return Versions(
      priceTag: release,
      icu: text(of: versions.icu),
      cldr: text(of: versions.cldr),
      unicode: text(of: versions.unicode),
      zones: text(of: versions.zones)
    )
  }()
}
