import PriceTag
import PriceTagText

/// A picture of a product: its address, its size, and what it shows.
public struct ProductImage: Hashable, Sendable {
  /// A smaller or larger version of a picture, for `srcset`.
  public struct Source: Hashable, Sendable {
    /// The address: an http or https URL, or a path on the shop's site.
    public let address: String
    /// The width in pixels.
    public let width: Int

    /// Creates a source.
    ///
    /// - Throws: `.invalidField` for an unsafe address or an invalid width.
    public init(_ address: String, width: Int) throws(CatalogError) {
      try ImageAddress.check(address)
      try ProductImage.check(width, "width")
      (self.address, self.width) = (address, width)
    }
  }

  /// The address: an http or https URL, or a path on the shop's site.
  public let address: String
  /// The width in pixels; `nil` if it is unknown.
  public let width: Int?
  /// The height in pixels; `nil` if it is unknown.
  public let height: Int?
  /// What the picture shows, by language (BCP 47).
  public let alternativeTexts: [String: String]
  /// Versions of the picture in other sizes.
  public let sources: [Source]

  /// The allowed widths and heights, in pixels.
  public static let allowedSides = 1...100_000
  /// The maximum number of pictures of a product.
  public static let maximumCount = 50
  /// The maximum number of sources of a picture.
  package static let maximumSourceCount = 20

  /// The maximum size of all addresses of a product's pictures and their sources, in bytes.
  package static let maximumAddressBytes = 32_768

  /// Creates a picture. Empty texts are omitted.
  ///
  /// - Throws: `.invalidField` for an unsafe address or an invalid size; `.duplicate` for two sources of the same width;
  ///   `.tooLarge` for too many sources.
  public init(
    _ address: String,
    width: Int? = nil,
    height: Int? = nil,
    alternativeTexts: [String: String] = [:],
    sources: [Source] = []
  ) throws(CatalogError) {
    try ImageAddress.check(address)
    if let width { try Self.check(width, "width") }
    if let height { try Self.check(height, "height") }
    guard sources.count <= Self.maximumSourceCount else {
      throw CatalogError(
        .tooLarge,
        "the image \(quoted(address)) has \(sources.count) sources",
        fix: "use at most \(Self.maximumSourceCount)"
      )
    }
    var widths: Set<Int> = []
    if let source = sources.first(where: { !widths.insert($0.width).inserted }) {
      throw CatalogError(
        .duplicate,
        "two sources of the image \(quoted(address)) have the width \(source.width)",
        fix: "remove one"
      )
    }
    (self.address, self.width, self.height, self.sources) = (address, width, height, sources)
    self.alternativeTexts = alternativeTexts.filter { !$0.value.isEmpty }
  }

  private init(unchecked address: String) {
    (self.address, width, height, alternativeTexts, sources) = (address, nil, nil, [:], [])
  }

  private static func check(_ side: Int, _ name: String) throws(CatalogError) {
    guard !allowedSides.contains(side) else { return }
    throw CatalogError(
      .invalidField,
      "\(side) is not an integer from \(allowedSides.lowerBound) to \(allowedSides.upperBound)",
      fix: "write a \(name) in that range"
    )
  }

  /// Checks that a list has not too many pictures or too long addresses, and no picture twice.
  ///
  /// - Throws: `.tooLarge`, `.duplicate`.
  package static func check(_ images: [ProductImage]) throws(CatalogError) {
    guard images.count <= maximumCount else {
      throw CatalogError(
        .tooLarge,
        "the product has \(images.count) images",
        fix: "use at most \(maximumCount)"
      )
    }
    let byteCount = images.reduce(0) { $1.addresses.reduce($0) { $0 + $1.utf8.count } }
    guard byteCount <= maximumAddressBytes else {
      throw CatalogError(
        .tooLarge,
        "the addresses of the images have \(byteCount) bytes",
        fix: "use fewer images and sources, or shorter addresses, with at most \(maximumAddressBytes) bytes"
      )
    }
    var addresses: Set<ExactText> = []
    guard let repeated = images.first(where: { !addresses.insert(ExactText($0.address)).inserted }) else {
      return
    }
    throw .repeated(repeated.address)
  }

  /// Returns all pictures of a product: the first one is its main picture, if it has one.
  static func all(_ main: String?, _ images: [ProductImage]) -> [ProductImage] {
    guard let main else { return images }
    guard let index = images.firstIndex(where: { $0.address.utf8.elementsEqual(main.utf8) }) else {
      return [ProductImage(unchecked: main)] + images
    }
    return [images[index]] + images[..<index] + images[(index + 1)...]
  }

  /// The addresses of the picture and its sources.
  package var addresses: [String] { [address] + sources.map(\.address) }
}

// MARK: JSON

extension ProductImage {
  /// The picture as JSON, as in files and in the catalog's database.
  package var json: String {
    var fields = [("src", PriceTagText.json(address))]
    if let width { fields.append(("width", String(width))) }
    if let height { fields.append(("height", String(height))) }
    if !alternativeTexts.isEmpty {
      let texts = alternativeTexts.sorted { $0.key < $1.key }.map { ($0.key, PriceTagText.json($0.value)) }
      fields.append(("alt", jsonObject(texts)))
    }
    if !sources.isEmpty { fields.append(("sources", jsonArray(sources.map(\.json)))) }
    return jsonObject(fields)
  }

  /// Returns the pictures of a column.
  ///
  /// - Throws: `DamagedCatalog`.
  static func stored(_ text: String) throws -> [ProductImage] {
    guard case .array(let values)? = try? JSONReader.value(of: Array(text.utf8)),
      let images = try? values.map(ProductImage.init(stored:))
    else { throw DamagedCatalog(problem: "its images cannot be read") }
    return images
  }

  private init(stored value: JSONValue) throws {
    guard case .object(let object) = value, case .string(let address)? = object["src"] else {
      throw DamagedCatalog.wrongType
    }
    var texts: [String: String] = [:]
    if case .object(let alternatives)? = object["alt"] {
      for member in alternatives.members {
        if case .string(let text) = member.value { texts[member.key] = text }
      }
    }
    var sources: [Source] = []
    if case .array(let values)? = object["sources"] {
      for case .object(let source) in values {
        guard case .string(let address)? = source["src"], let width = source.side("width") else {
          throw DamagedCatalog.wrongType
        }
        sources.append(try Source(address, width: width))
      }
    }
    try self.init(
      address,
      width: object.side("width"),
      height: object.side("height"),
      alternativeTexts: texts,
      sources: sources
    )
  }
}

extension ProductImage.Source {
  /// The source as JSON.
  package var json: String { jsonObject([("src", PriceTagText.json(address)), ("width", String(width))]) }
}

extension JSONObject {
  fileprivate func side(_ name: String) -> Int? {
    if case .number(let text)? = self[name] { Int(text) } else { nil }
  }
}
