import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText
import PriceTagXML

/// An element of a package with all that stands in it.
struct ITunesPackageElement {
  let name: String
  let line: Int
  private let attributes: [XMLAttribute]
  /// The text inside, without that of its elements.
  private(set) var text = ""
  private(set) var children: [ITunesPackageElement] = []

  /// The element that has just started, to its end. Elements are at most 64 deep: the reader sees to it.
  init(
    _ name: String,
    _ attributes: [XMLAttribute],
    _ reader: XMLReader
  ) throws(XMLError) {
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

  /// A name without its namespace's prefix.
  static func local(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  /// An error of the element.
  func invalid(_ code: CatalogError.Code, _ problem: String, fix: String) -> CatalogError {
    CatalogError(code, problem, fix: fix, place: "line \(line), <\(printable(name, limit: 48))>")
  }

  /// What was found wrong with the element's text, at the element.
  func reading<Answer>(_ read: (String) throws(CatalogError) -> Answer) throws(CatalogError) -> Answer {
    let value = try value
    do throws(CatalogError) { return try read(value) } catch {
      throw invalid(error.code, error.problem, fix: error.fix)
    }
  }

  subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Whether the delivery is about taking it away.
  var isToBeRemoved: Bool { self[attribute: "remove"] == "true" }

  /// The elements of a name.
  func children(_ name: String) -> [ITunesPackageElement] { children.filter { $0.name == name } }

  /// The element of a name, which stands once; `nil` where there is none.
  func child(_ name: String) throws(CatalogError) -> ITunesPackageElement? {
    let found = children(name)
    guard found.count < 2 else {
      throw found[1].invalid(.duplicate, "<\(name)> stands twice", fix: "write it once")
    }
    return found.first
  }

  /// The text without space around it: of a number, a date, a name of a thing.
  var value: String {
    get throws(CatalogError) {
      guard children.isEmpty else {
        throw invalid(.invalidField, "elements stand where text is expected", fix: "write text alone")
      }
      return String(text.trimmingSpace)
    }
  }
}
