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
    card["picture"] = pictures.count == 1 ? pictures.first : nil
    card["gallery"] = pictures.count > 1 ? TemplateValues(["pictures": pictures]) : nil
  }

  private func values(of image: Product.Image, _ address: String, isFirst: Bool) -> TemplateValues {
    let size: (width: Int, height: Int) =
      if let width = image.width, let height = image.height { (width, height) } else { Self.unknownSize }
    let tag = image.textLanguage
    return TemplateValues([
      "src": address, "srcset": sourceSet(of: image, address),
      "alt": image.alternativeText.map { attributeText($0) } ?? "",
      // The text of a picture may be in another language than the page.
      "lang": tag == store.language.identifier ? nil : tag.map { pageText($0) },
      "width": String(size.width), "height": String(size.height), "isFirst": isFirst,
    ])
  }

  /// Returns the versions of a picture with their widths; `nil` if there is only one.
  private func sourceSet(of image: Product.Image, _ address: String) -> String? {
    var candidates = image.sources.compactMap { source in
      pages.address(of: source.address, on: page).map { (address: $0, width: source.width) }
    }
    if candidates.isEmpty { return nil }
    if let width = image.width, !candidates.contains(where: { $0.width == width }) {
      candidates.append((address, width))
    }
    // A comma at the end of an address would separate it from the width.
    return candidates.map { "\($0.address.replacing(",", with: "%2C")) \($0.width)w" }.joined(separator: ", ")
  }
}
