import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText
import PriceTagXML

/// The XML of a package while it is written, and the errors for omitted data.
struct ITunesPackageDocument {
  private(set) var text = ""
  private(set) var omissions: [CatalogError] = []
  /// The object being written, for errors.
  var place = ""
  private var depth = 0

  /// Records that something is omitted from the document.
  mutating func omit(
    _ problem: String,
    fix: String,
    code: CatalogError.Code = .notRepresentable
  ) {
    omissions.append(CatalogError(code, problem, fix: fix, place: code == .tooLarge ? "" : place))
  }

  /// Writes a line with its indentation.
  mutating func write(_ line: String) {
    text += String(repeating: "  ", count: depth) + line + "\n"
  }

  mutating func open(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    write("<\(name)\(written(attributes))>")
    depth += 1
  }

  mutating func close(_ name: String) {
    depth -= 1
    write("</\(name)>")
  }

  /// Writes an element that contains text.
  mutating func leaf(_ name: String, _ value: String, _ attributes: [(name: String, value: String)] = []) {
    guard let escaped = XMLText.escaped(value) else {
      omit("<\(name)>: \(XMLText.problem)", fix: XMLText.fix)
      return
    }
    write("<\(name)\(written(attributes))>\(escaped)</\(name)>")
  }

  /// Writes names and descriptions by language.
  mutating func locales(_ texts: [String: ProductText]) {
    if texts.isEmpty { return }
    open("locales")
    for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
      open("locale", [("name", language)])
      if let name = text.name { leaf("title", name) }
      if let description = text.description { leaf("description", description) }
      close("locale")
    }
    close("locales")
  }

  private mutating func written(_ attributes: [(name: String, value: String)]) -> String {
    var text = ""
    for (name, value) in attributes {
      guard let escaped = XMLText.escaped(value, isAttribute: true) else {
        omit("\(name): \(XMLText.problem)", fix: XMLText.fix)
        continue
      }
      text += " \(name)=\"\(escaped)\""
    }
    return text
  }
}
