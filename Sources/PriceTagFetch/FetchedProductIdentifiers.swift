import PriceTag
import PriceTagCatalog

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A list that was asked of a server, and how current it is.
public struct FetchedProductIdentifiers: Hashable, Sendable {
  /// Where the list comes from.
  public enum Source: Hashable, Sendable {
    /// The server has sent it.
    case fetched
    /// The server says that the one which was kept is still its list.
    case notModified
    /// The server gave none: it is the last good one, which the server had at a date. The reason says so too, in one
    /// line.
    case lastGood(reason: CatalogError, since: Date)
  }

  /// The list.
  public let list: ProductIdentifierList
  /// Where it comes from.
  public let source: Source
  /// Why the list could not be kept for when its server is down; `nil` where it was.
  public let note: CatalogError?
}
