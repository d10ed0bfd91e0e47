import FoundationEssentials
import PriceTag
import PriceTagCatalog

/// The result of a fetch: a list, and where it comes from.
public struct FetchedProductIdentifiers: Hashable, Sendable {
  /// The source of a list.
  public enum Source: Hashable, Sendable {
    /// The server sent the list.
    case fetched
    /// The server confirmed that the cached list has not changed.
    case notModified
    /// The fetch failed for the given reason. The list is the last valid one, which the server had at the given date.
    case lastGood(reason: CatalogError, since: Date)
  }

  /// The list.
  public let list: ProductIdentifierList
  /// The source of the list.
  public let source: Source
  /// The reason why the list could not be written to the cache; `nil` if it was written.
  public let cacheError: CatalogError?
}
