import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads what every storefront displays for a catalog, product by product, in the order of a golden file.
///
///     let recording = try DisplayRecording(of: catalog, request)
///     while let product = try recording.next() {
///       for display in product.displays { print(display.line) }
///     }
public final class DisplayRecording {
  /// The displays of a product.
  public struct Displays: Sendable {
    /// The product's identifier.
    public let productIdentifier: String
    /// The displays, sorted by storefront and language.
    public let displays: [RecordedDisplay]
    /// The reasons why storefronts do not display the product, by storefront.
    public let rejects: [String: InvalidProductIdentifier]
  }

  private let reading: ListingReader
  private let builder: ListingBuilder
  private var pending: ArraySlice<ProductRecord> = []

  /// Creates a recording of a catalog.
  ///
  /// - Throws: `.catalogFailed`.
  public init(of catalog: Catalog, _ request: ListingRequest) throws(DriftError) {
    do throws(CatalogError) {
      reading = try catalog.listings(for: request, order: .identifier)
      builder = try ListingBuilder(request)
    } catch { throw DriftError(.catalogFailed, error) }
  }

  /// Returns the displays of the next product; `nil` after the last one.
  ///
  /// - Throws: `.catalogFailed`.
  public func next() throws(DriftError) -> Displays? {
    do {
      if pending.isEmpty { pending = try reading.next(100)[...] }
      guard let record = pending.popFirst() else { return nil }
      var displays: [RecordedDisplay] = []
      displays.reserveCapacity(builder.listingsPerProduct)
      var rejects: [String: InvalidProductIdentifier] = [:]
      try builder.forEach(record) { listing in
        switch listing.answer {
        case .product(let product, let spoken):
          displays.append(
            RecordedDisplay(
              product,
              spoken: spoken,
              storefront: listing.storefront.id,
              language: listing.language.identifier
            )
          )
        case .invalid(let invalid): rejects[listing.storefront.id] = invalid
        }
      }
      displays.sort { ($0.storefront, $0.language) < ($1.storefront, $1.language) }
      return Displays(productIdentifier: record.identifier, displays: displays, rejects: rejects)
    } catch let error as CatalogError {
      throw DriftError(.catalogFailed, error)
    } catch {
      throw DriftError(.catalogFailed, printable("\(error)"), fix: "check the catalog")
    }
  }

  // MARK: Golden files

  /// A summary of a recorded golden file.
  public struct Summary: Sendable {
    /// The number of recorded displays.
    public fileprivate(set) var displays = 0
    /// The number of products with a display.
    public fileprivate(set) var products = 0
    /// The number of products that no storefront displays: not approved, not cleared for sale, or without a price.
    public fileprivate(set) var productsWithoutDisplay = 0
    /// The displays that are missing because of a fault in the catalog.
    public fileprivate(set) var missingDisplays: [MissingDisplay] = []
  }

  /// A product that storefronts should display but do not, for one reason.
  public struct MissingDisplay: Hashable, Sendable, CustomStringConvertible {
    /// The product's identifier.
    public let productIdentifier: String
    /// The reason.
    public let reason: InvalidProductIdentifier.Reason
    /// The storefronts, sorted.
    public let storefronts: [String]
    /// The message of the first storefront, with its fix.
    public let message: String

    /// One line with the product, the message, and the number of other storefronts.
    public var description: String {
      let others =
        storefronts.count > 1 ? "; the same in \(counted(storefronts.count - 1, "other storefront"))" : ""
      return "\(quoted(productIdentifier)): \(message)\(others)"
    }

    static func all(of product: Displays) -> [MissingDisplay] {
      let rejects = product.rejects.filter { !$0.value.reason.isIntended }
      return Dictionary(grouping: rejects, by: \.value.reason).compactMap { reason, rejects in
        let sorted = rejects.sorted { $0.key < $1.key }
        return sorted.first.map {
          MissingDisplay(
            productIdentifier: product.productIdentifier,
            reason: reason,
            storefronts: sorted.map(\.key),
            message: $0.value.message
          )
        }
      }.sorted { $0.reason.rawValue < $1.reason.rawValue }
    }
  }

  /// Writes the remaining products as a golden file.
  ///
  ///     var text = ""
  ///     let header = try GoldenFileHeader(request)
  ///     try DisplayRecording(of: catalog, request).writeGoldenFile(header) { text += $0 }
  ///
  /// - Parameters:
  ///   - header: The header of the golden file.
  ///   - write: Called with each piece of the file's text, in order.
  /// - Returns: A summary.
  /// - Throws: `.catalogFailed`.
  @discardableResult
  public func writeGoldenFile(
    _ header: GoldenFileHeader,
    to write: (String) -> Void
  ) throws(DriftError) -> Summary {
    var summary = Summary()
    write(header.lines)
    while let product = try next() {
      for display in product.displays { write(display.line + "\n") }
      summary.displays += product.displays.count
      if product.displays.isEmpty { summary.productsWithoutDisplay += 1 } else { summary.products += 1 }
      summary.missingDisplays += MissingDisplay.all(of: product)
    }
    return summary
  }
}
