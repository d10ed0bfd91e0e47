import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText
import PriceTagXML

/// An element of a package with its complete contents.
struct ITunesPackageElement {
  let name: String
  let line: Int
  private let attributes: [XMLAttribute]
  /// The text of the element, without that of its child elements.
  private(set) var text = ""
  private(set) var children: [ITunesPackageElement] = []

  /// Reads the element that has just started, to its end. The reader limits the recursion to a depth of 64.
  init(
    _ name: String,
    _ attributes: [XMLAttribute],
    _ reader: CatalogXMLReader
  ) throws(CatalogError) {
    (self.name, self.attributes, line) = (Self.local(name), attributes, reader.line)
    while let event = try reader.next() {
      switch event {
      case .text(let part), .characterData(let part): text += part
      case .start(let name, let attributes, _):
        children.append(try ITunesPackageElement(name, attributes, reader))
      case .end: return
      case .comment, .instruction: continue
      }
    }
  }

  /// Returns a name without its namespace prefix.
  static func local(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  /// Returns an error at the element.
  func invalid(_ code: CatalogError.Code, _ problem: String, fix: String) -> CatalogError {
    CatalogError(code, problem, fix: fix, place: "line \(line), <\(printable(name, limit: 48))>")
  }

  /// Returns the result of a closure that reads the element's text. Errors are rethrown with the element as their
  /// place.
  func reading<Answer>(_ read: (String) throws(CatalogError) -> Answer) throws(CatalogError) -> Answer {
    let value = try value
    return try placing { () throws(CatalogError) in try read(value) }
  }

  /// Returns the result of a closure. Errors are rethrown with the element as their place.
  func placing<Answer>(_ read: () throws(CatalogError) -> Answer) throws(CatalogError) -> Answer {
    do throws(CatalogError) { return try read() } catch {
      throw invalid(error.code, error.problem, fix: error.fix)
    }
  }

  subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Whether the element is marked for removal from the store.
  var isToBeRemoved: Bool { self[attribute: "remove"] == "true" }

  /// Returns the child elements with a name.
  func children(_ name: String) -> [ITunesPackageElement] { children.filter { $0.name == name } }

  /// Returns the only child element with a name, or `nil`.
  func child(_ name: String) throws(CatalogError) -> ITunesPackageElement? {
    let found = children(name)
    guard found.count < 2 else {
      throw found[1].invalid(.duplicate, "<\(name)> appears twice", fix: "remove one")
    }
    return found.first
  }

  /// The text without surrounding white space, for numbers, dates and names.
  var value: String {
    get throws(CatalogError) {
      guard children.isEmpty else {
        throw invalid(.invalidField, "the element must contain text, not elements", fix: "write text only")
      }
      return String(text.trimmingSpace)
    }
  }
}
