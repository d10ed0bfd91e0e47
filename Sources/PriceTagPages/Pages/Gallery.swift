import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// The pictures of a product's own page.
extension ProductValues {
  /// The size of a picture without a known one: that of the space that a page reserves for it.
  private static let unknownSize = (width: 800, height: 600)

  /// Sets the pictures of a product: `picture` is the only one, `gallery` has several. Pictures whose files are missing are
  /// omitted.
  func setPictures(of product: Product, on card: TemplateValues) {
    var pictures: [TemplateValues] = []
    for image in product.images {
      guard let address = pages.address(of: image.address, on: page) else { continue }
      pictures.append(values(of: image, address, isFirst: pictures.isEmpty))
    }
    card[.picture] = pictures.count == 1 ? pictures.first : nil
    card[.gallery] = pictures.count > 1 ? TemplateValues([.pictures: pictures]) : nil
  }

  private func values(of image: Product.Image, _ address: String, isFirst: Bool) -> TemplateValues {
    let size: (width: Int, height: Int) =
      if let width = image.width, let height = image.height { (width, height) } else { Self.unknownSize }
    let tag = image.textLanguage
    return TemplateValues([
      .src: address, .srcset: sourceSet(of: image, address),
      .alt: image.alternativeText.map { attributeText($0) } ?? "",
      // The text of a picture may be in another language than the page.
      .lang: tag == store.language.identifier ? nil : tag.map { pageText($0) },
      .width: String(size.width), .height: String(size.height), .isFirst: isFirst,
    ])
  }

  /// Returns an address without commas at its start and end, which would separate it from the others and from its width.
  static func candidate(_ address: String) -> String {
    let start = address.prefix { $0 == "," }
    let end = address.dropFirst(start.count).reversed().prefix { $0 == "," }
    let middle = address.dropFirst(start.count).dropLast(end.count)
    return String(repeating: "%2C", count: start.count) + middle + String(repeating: "%2C", count: end.count)
  }

  /// Returns the versions of a picture with their widths; `nil` if there is only one.
  func sourceSet(of image: Product.Image, _ address: String) -> String? {
    var candidates = image.sources.compactMap { source in
      pages.address(of: source.address, on: page).map { (address: $0, width: source.width) }
    }
    if candidates.isEmpty { return nil }
    if let width = image.width, !candidates.contains(where: { $0.width == width }) {
      candidates.append((address, width))
    }
    return candidates.map { "\(Self.candidate($0.address)) \($0.width)w" }.joined(separator: ", ")
  }
}
