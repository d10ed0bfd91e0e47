import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports PriceTag's own JSON: one document.
enum CatalogJSONImporter: CatalogImporter {
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields(JSONFields.document(file), "the document", line: 1)
    try check(document)
    try document.allow(CatalogJSON.documentFields)
    _ = try document.optionalString("$schema")
    for section in CatalogJSON.Section.allCases {
      for value in try document.array(section.rawValue) {
        let fields = try session.attempt(at: section.rawValue) { () throws(CatalogError) in
          try JSONFields(value, "a \(section.type)", line: document.line)
        }
        if let fields { try CatalogJSONReader(session: session).read(fields, of: section) }
      }
    }
  }

  /// Checks the format and version of the document.
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
        "unknown format \(quoted(format))",
        "format",
        fix: "write \"\(CatalogJSON.formatName)\"",
        code: .unknownFormat
      )
    }
    guard try document.optionalInteger("version", in: 0...999_999) == CatalogJSON.version else {
      throw document.invalid(
        "the version is not \(CatalogJSON.version)",
        "version",
        fix: "write \"version\": \(CatalogJSON.version), or use a later version of PriceTag",
        code: .unknownVersion
      )
    }
  }
}

/// Imports PriceTag's own JSON Lines: one product, tier or group per line.
enum CatalogJSONLinesImporter: CatalogImporter {
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let reader = CatalogJSONReader(session: session)
    try file.forEachLine { (bytes, line) throws(CatalogError) in
      let value = try JSONFields.value(of: bytes, firstLine: line)
      let read = try session.attempt(at: "line \(line)") { () throws(CatalogError) in
        try Self.object(value)
      }
      if let (fields, section) = read { try reader.read(fields, of: section) }
    }
  }

  /// Returns the object of a line and the section that its type belongs to.
  private static func object(_ value: JSONValue) throws(CatalogError) -> (JSONFields, CatalogJSON.Section) {
    guard case .object(let object) = value else {
      throw CatalogError(
        .invalidField,
        "a line must be an object, not \(value.kind)",
        fix: "write one object per line"
      )
    }
    let fields = JSONFields(object)
    let type = try fields.optionalString("type") ?? CatalogJSON.Section.products.type
    guard let section = CatalogJSON.Section.allCases.first(where: { $0.type == type }) else {
      throw .unknown("type", type, among: CatalogJSON.Section.allCases.map(\.type))
    }
    return (fields, section)
  }
}
