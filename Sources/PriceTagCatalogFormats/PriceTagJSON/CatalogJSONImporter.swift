import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads PriceTag's own JSON: one document.
enum CatalogJSONImporter: CatalogImporter {
  static let format = CatalogFormat.json

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields(JSONFields.document(file), "a catalogue", line: 1)
    try check(document)
    try document.allow(CatalogJSON.documentFields)
    _ = try document.optionalString("$schema")
    for section in CatalogJSON.Section.allCases {
      for value in try document.array(section.rawValue) {
        let fields = try session.attempt(at: section.rawValue) { () throws(CatalogError) in
          try JSONFields(value, "a \(section.type)", line: document.line)
        }
        if let fields { try CatalogJSONReader(session).take(fields, of: section) }
      }
    }
  }

  /// Whether the document is PriceTag's, and of a version that is known.
  private static func check(_ document: JSONFields) throws(CatalogError) {
    guard let format = try document.optionalString("format") else {
      throw document.invalid(
        "the field \"format\" is missing",
        "format",
        fix: "write \"format\": \"\(CatalogJSON.formatName)\", \"version\": \(CatalogJSON.version)"
      )
    }
    guard format == CatalogJSON.formatName else {
      throw document.invalid(
        "the format \(quoted(format)) is not known",
        "format",
        fix: "write \"\(CatalogJSON.formatName)\"",
        code: .unknownFormat
      )
    }
    guard try document.optionalInteger("version", in: 0...999_999) == CatalogJSON.version else {
      throw document.invalid(
        "the version is not \(CatalogJSON.version)",
        "version",
        fix: "write version \(CatalogJSON.version), or read the file with a newer PriceTag",
        code: .unknownVersion
      )
    }
  }
}

/// Reads PriceTag's own JSON Lines: a product, a tier or a group a line.
enum CatalogJSONLinesImporter: CatalogImporter {
  static let format = CatalogFormat.jsonl

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let reader = CatalogJSONReader(session)
    try file.forEachLine { (bytes, line) throws(CatalogError) in
      let value = try JSONFields.value(of: bytes, firstLine: line)
      let read = try session.attempt(at: "line \(line)") { () throws(CatalogError) in
        try Self.object(value, line)
      }
      if let (fields, section) = read { try reader.take(fields, of: section) }
    }
  }

  /// The object of a line, and what it says that it is.
  private static func object(
    _ value: JSONValue,
    _ line: Int
  ) throws(CatalogError) -> (JSONFields, CatalogJSON.Section) {
    guard case .object(let object) = value else {
      throw CatalogError(
        .invalidField,
        "\(value.kind) stands where a product is expected",
        fix: "write an object a line"
      )
    }
    let fields = JSONFields(object.moved(to: line))
    let type = try fields.optionalString("type") ?? CatalogJSON.Section.products.type
    guard let section = CatalogJSON.Section.allCases.first(where: { $0.type == type }) else {
      let types = CatalogJSON.Section.allCases.map(\.type)
      throw CatalogError(
        .invalidField,
        "there is no type \(quoted(type))",
        fix: "write one of \(types.joined(separator: ", "))" + didYouMean(type, among: types)
      )
    }
    return (fields, section)
  }
}

extension JSONObject {
  /// The object of a text of one line, which is a line of a file.
  fileprivate func moved(to line: Int) -> JSONObject {
    JSONObject(line: line, members: members.map { ($0.key, $0.value.moved(to: line), line) })
  }
}

extension JSONValue {
  fileprivate func moved(to line: Int) -> JSONValue {
    switch self {
    case .object(let object): .object(object.moved(to: line))
    case .array(let values): .array(values.map { $0.moved(to: line) })
    default: self
    }
  }
}
