import PriceTag
import PriceTagCatalog
import PriceTagText

/// A picture of a page for link previews.
struct LinkPicture {
  /// The absolute address.
  let address: String
  /// The width and height in pixels; `nil` if they are not known.
  let size: (width: Int, height: Int)?
  /// What the picture shows.
  let text: String

  /// The properties of Open Graph.
  var properties: [(String, String)] {
    var properties = [("og:image", address)]
    if let size {
      properties += [("og:image:width", String(size.width)), ("og:image:height", String(size.height))]
    }
    return properties + [("og:image:alt", text)]
  }
}

/// The generated pictures of products as PNG, for search engines and link previews, which need absolute addresses. So there
/// are none without the site's address.
extension StorePages {
  /// The width and height of a generated picture: the size that Facebook recommends. Google requires 500 × 500.
  static let pictureSize = (width: 1200, height: 630)

  /// Returns a product's picture as PNG, with its path in the site; `nil` if the product has an image of its own that is
  /// not SVG, or the site has no address.
  ///
  /// - Parameters:
  ///   - identifier: The product identifier.
  ///   - image: The product's image.
  package func picture(of identifier: String, image: String?) -> (path: String, bytes: [UInt8])? {
    guard hasGeneratedPicture(image) else { return nil }
    let pattern = ProductPattern(identifier)
    let raster = PatternRaster(pattern, width: Self.pictureSize.width, height: Self.pictureSize.height)
    return raster.png(shop.theme.patternColors(hue: pattern.hue, dark: false)).map {
      (Self.picturePath(identifier), $0)
    }
  }

  /// Returns the picture of a product for link previews, which do not accept SVG; `nil` if it has none.
  func linkPicture(of identifier: String, image: String?, named name: String) -> LinkPicture? {
    if let url = shop.url, hasGeneratedPicture(image) {
      return LinkPicture(address: url + Self.picturePath(identifier), size: Self.pictureSize, text: name)
    }
    return absoluteAddress(of: image).flatMap { address in
      Self.isSVG(address) ? nil : LinkPicture(address: address, size: nil, text: name)
    }
  }

  /// Returns the absolute addresses of a product's images for search engines: its own, and the generated picture where the
  /// first one is SVG or missing.
  func searchImages(of identifier: String, images: [String]) -> [String] {
    var addresses = images.compactMap(absoluteAddress)
    if let url = shop.url, hasGeneratedPicture(images.first) {
      addresses.append(url + Self.picturePath(identifier))
    }
    return addresses
  }

  /// Returns whether a product with this image has a generated picture as PNG.
  private func hasGeneratedPicture(_ image: String?) -> Bool {
    shop.url != nil && (absoluteAddress(of: image).map(Self.isSVG) ?? true)
  }

  /// Beside the page to choose a store, so that the path is as long and as unique as that of a page.
  package static func picturePath(_ identifier: String) -> String {
    "\(PagePath.productEntry(identifier))picture.png"
  }

  /// Returns whether the path of an address ends like that of an SVG file.
  static func isSVG(_ address: String) -> Bool {
    let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return path.hasSuffix(".svg") || path.hasSuffix(".svgz")
  }
}
