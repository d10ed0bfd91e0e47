import Foundation
import PriceTag

/// The packs of `LocaleData/packs`, for tests whose prices must not depend on the installed ICU.
public enum CLDRPacks {
  /// The folder of the repository.
  public static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the embedded data, pinned to the pack of a version of CLDR such as 42.
  public static func data(_ version: Int) throws -> LocaleData {
    LocaleData.embedded.pinned(to: try Pack(named: "cldr-\(version)"))
  }
}
