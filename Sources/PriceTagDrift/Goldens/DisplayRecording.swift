import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads what every storefront displays of a catalogue, product by product, in the order of a golden.
///
///     let recording = try DisplayRecording(of: catalog, request)
///     while let product = try recording.next() {
///       for display in product.displays { print(display.line) }
///     }
public final class DisplayRecording {
  /// What storefronts display of a product.
  public struct Displays: Sendable {
    /// The product's identifier.
    public let productIdentifier: String
    /// The displays, by storefront and language.
    public let displays: [RecordedDisplay]
    /// Why it is not displayed, by storefront.
    public let refusals: [String: InvalidProductIdentifier]
  }

  private let reading: ListingReading
  private let maker: ListingMaker
  private var pending: ArraySlice<ProductFacts> = []

  /// A recording of a catalogue.
  ///
  /// - Throws: `.catalogFailed`.
  public init(of catalog: Catalog, _ request: ListingRequest) throws(DriftError) {
    do throws(CatalogError) {
      reading = try catalog.listings(for: request, order: .identifier)
      maker = try ListingMaker(request)
    } catch { throw DriftError(.catalogFailed, error) }
  }

  /// The next product; `nil` behind the last one.
  ///
  /// - Throws: `.catalogFailed`.
  public func next() throws(DriftError) -> Displays? {
    do {
      if pending.isEmpty { pending = try reading.next(100)[...] }
      guard let facts = pending.popFirst() else { return nil }
      var displays: [RecordedDisplay] = []
      displays.reserveCapacity(maker.listingsPerProduct)
      var refusals: [String: InvalidProductIdentifier] = [:]
      try maker.forEach(facts) { listing in
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
        case .invalid(let invalid): refusals[listing.storefront.id] = invalid
        }
      }
      displays.sort { ($0.storefront, $0.language) < ($1.storefront, $1.language) }
      return Displays(productIdentifier: facts.identifier, displays: displays, refusals: refusals)
    } catch let error as CatalogError {
      throw DriftError(.catalogFailed, error)
    } catch {
      throw DriftError(.catalogFailed, printable("\(error)"), fix: "check the catalogue")
    }
  }

  // MARK: Goldens

  /// What a golden was made of.
  public struct Summary: Sendable {
    /// How many displays were recorded.
    public fileprivate(set) var displays = 0
    /// Of how many products.
    public fileprivate(set) var products = 0
    /// How many products are displayed nowhere: not approved, not cleared for sale, or without a price.
    public fileprivate(set) var productsWithoutDisplay = 0
    /// What should be displayed and is not.
    public fileprivate(set) var mistakes: [Mistake] = []
  }

  /// A product that some storefronts should display and do not, all for one reason.
  public struct Mistake: Hashable, Sendable, CustomStringConvertible {
    /// The product's identifier.
    public let productIdentifier: String
    /// Why it is not displayed.
    public let reason: InvalidProductIdentifier.Reason
    /// The storefronts, in order.
    public let storefronts: [String]
    /// What the first of them says, with what can be done.
    public let message: String

    /// One line: the product, the storefronts and why.
    public var description: String {
      let others =
        storefronts.count > 1 ? "; the same in \(counted(storefronts.count - 1, "other storefront"))" : ""
      return "\(quoted(productIdentifier)): \(message)\(others)"
    }

    fileprivate static func mistakes(of product: Displays) -> [Mistake] {
      let refusals = product.refusals.filter { !$0.value.reason.isIntended }
      return Dictionary(grouping: refusals, by: \.value.reason).compactMap { reason, refusals in
        let sorted = refusals.sorted { $0.key < $1.key }
        return sorted.first.map {
          Mistake(
            productIdentifier: product.productIdentifier,
            reason: reason,
            storefronts: sorted.map(\.key),
            message: $0.value.message
          )
        }
      }.sorted { $0.reason.rawValue < $1.reason.rawValue }
    }
  }

  /// Writes all that is left to read as a golden, part by part.
  ///
  ///     var text = ""
  ///     let header = try GoldenHeader(request)
  ///     try DisplayRecording(of: catalog, request).writeGolden(header) { text += $0 }
  ///
  /// - Throws: `.catalogFailed`.
  @discardableResult
  public func writeGolden(
    _ header: GoldenHeader,
    to write: (String) -> Void
  ) throws(DriftError) -> Summary {
    var summary = Summary()
    write(header.lines)
    while let product = try next() {
      for display in product.displays { write(display.line + "\n") }
      summary.displays += product.displays.count
      if product.displays.isEmpty { summary.productsWithoutDisplay += 1 } else { summary.products += 1 }
      summary.mistakes += Mistake.mistakes(of: product)
    }
    return summary
  }
}
