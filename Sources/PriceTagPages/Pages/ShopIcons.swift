import PriceTag
import PriceTagStrings
import PriceTagText

/// The icons of the shop as PNG, for browsers and home screens, and the manifest that names them.
///
/// An icon is a generated picture from the shop's name, in the hue of the theme's accent. It fills the square, so that any
/// mask of a home screen suits it.
extension StorePages {
  /// The sizes of the icons: of a browser's tab, of the home screen of iOS, and of those of other systems.
  private static let iconSizes = [32, 180, 192, 512]
  /// The sizes of the icons that the manifest names.
  private static let manifestIconSizes = [192, 512]

  private static let manifestPath = "manifest.webmanifest"

  /// The path of the shop's picture.
  private static let shopPicturePath = "assets/picture.png"

  /// The paths of the icons, the manifest and the shop's picture in a site. A file of the shop's own at one of these paths
  /// has precedence.
  package static let iconPaths = iconSizes.map(iconPath) + [manifestPath, shopPicturePath]

  /// Returns an icon, the manifest, or the shop's picture; `nil` for other paths, and for the picture of a site without an
  /// address, which no page names.
  ///
  /// - Parameters:
  ///   - path: The path in the site.
  ///   - language: The language in which the manifest names a shop without a name.
  /// - Throws: `.stringsFailed`.
  package func iconAsset(at path: String, in language: UILanguage) throws(PagesError) -> [UInt8]? {
    if path == Self.manifestPath { return Array(try manifest(in: language).utf8) }
    let size: (width: Int, height: Int)? =
      path == Self.shopPicturePath && shop.url != nil
      ? Self.pictureSize
      : Self.iconSizes.first { Self.iconPath($0) == path }.map { (width: $0, height: $0) }
    guard let size else { return nil }
    let pattern = Self.icon(of: shop.name ?? shop.url ?? "")
    return PatternRaster(pattern, width: size.width, height: size.height).png(
      shop.theme.patternColors(hue: 0, dark: false)
    )
  }

  /// Returns the picture for link previews of pages that are not of one product; `nil` without the site's address.
  ///
  /// - Parameter name: The shop's name in the language of the page.
  func shopPicture(named name: String) -> LinkPicture? {
    shop.url.map { LinkPicture(address: $0 + Self.shopPicturePath, size: Self.pictureSize, text: name) }
  }

  /// The scenes that are recognizable as a small square.
  private static let iconScenes: Set<ProductPattern.Scene> = [.hills, .peaks, .rays, .arches]

  /// Returns the picture of a name, among those with a scene that suits icons.
  private static func icon(of name: String) -> ProductPattern {
    // Half of all pictures have such a scene.
    let patterns = (0..<64).lazy.map { ProductPattern($0 == 0 ? name : "\(name) \($0)") }
    return patterns.first { iconScenes.contains($0.scene) } ?? ProductPattern(name)
  }

  private func manifest(in language: UILanguage) throws(PagesError) -> String {
    let icons = Self.manifestIconSizes.flatMap { size in
      // Browsers discourage one entry for both purposes.
      ["any", "maskable"].map { purpose in
        jsonObject([
          ("src", json(Self.iconPath(size))), ("sizes", json("\(size)x\(size)")), ("type", json("image/png")),
          ("purpose", json(purpose)),
        ])
      }
    }
    var fields = [("name", json(balancedBidi(shop.name(in: try self.language(language)))))]
    // The language of a name that the shop chose is not known; its first strong character decides the direction.
    if shop.name == nil {
      fields += [("lang", json(language.identifier)), ("dir", json(language.direction.rawValue))]
    } else {
      fields.append(("dir", json("auto")))
    }
    fields += [("id", json("./")), ("start_url", json("./")), ("display", json("browser"))]
    for name in ["background_color", "theme_color"] {
      if let color = shop.theme.light[.background] { fields.append((name, json(color.description))) }
    }
    return jsonObject(fields + [("icons", jsonArray(icons))])
  }

  private static func iconPath(_ size: Int) -> String { "assets/icon-\(size).png" }

  /// The absolute address of the largest icon; `nil` without the site's address.
  var iconAddress: String? { shop.url.map { $0 + Self.iconPath(512) } }

  /// Returns the template values for the icons of a page.
  ///
  /// A logo is the icon of the browser's tab. Beside one that is SVG, there is the generated icon for browsers that do not
  /// accept it.
  ///
  /// - Parameter logo: The address of the logo on the page, or `nil`.
  func iconValues(on path: PagePath, logo: String?) -> TemplateValues {
    let isVector = logo.map(Self.isSVG) ?? false
    return TemplateValues([
      .tab: logo == nil || isVector ? path.root + Self.iconPath(32) : nil,
      .logo: logo, .isVector: isVector,
      .touch: path.root + Self.iconPath(180),
      .manifest: "\(path.root)manifest.webmanifest",
    ])
  }
}
