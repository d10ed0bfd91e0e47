import PriceTag
import PriceTagCatalog
import PriceTagText

/// The names of categories and subscription groups in a file. The products of a group may name it once or several times.
final class CatalogCSVGroups {
  private let session: ImportSession
  /// The groups in the order of the file, each with the lines of its names by language.
  private var groups: [(group: ProductGroup, lines: [String: Int])] = []
  private var indices: [ProductGroup.Kind: [String: Int]] = [:]
  private static let maximumCount = 10_000

  init(_ session: ImportSession) { self.session = session }

  /// Adds a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - language: The language of the name (BCP 47).
  ///   - kind: The kind of group.
  ///   - identifier: The identifier of the product's group; `nil` if the product has none.
  ///   - line: The line of the name.
  /// - Throws: `.invalidField` without a group, `.duplicate` for another name, and `.tooLarge` for too many groups.
  func add(
    _ name: String,
    in language: String,
    _ kind: ProductGroup.Kind,
    _ identifier: String?,
    line: Int
  ) throws(CatalogError) {
    guard let identifier else {
      let column: CatalogCSV.Column = kind == .category ? .category : .subscriptionGroup
      throw CatalogError(
        .invalidField,
        "the field \(quoted(column.rawValue)) is missing, which \(quoted(name)) is the name of",
        fix: "add it, or remove the name"
      )
    }
    let index = indices[kind]?[identifier] ?? groups.count
    if index == groups.count {
      guard index < Self.maximumCount else {
        throw CatalogError(
          .tooLarge,
          "the file names more than \(Self.maximumCount) categories and subscription groups",
          fix: "name the others in another file"
        )
      }
      indices[kind, default: [:]][identifier] = index
      groups.append((ProductGroup(kind, identifier), [:]))
    }
    if let other = groups[index].group.names[language] {
      if other == name { return }
      throw CatalogError(
        .duplicate,
        "\(quoted(name)) differs from \(quoted(other)) in line \(groups[index].lines[language] ?? line)",
        fix: "write one name for \(quoted(identifier))"
      )
    }
    groups[index].group.names[language] = name
    groups[index].lines[language] = line
  }

  /// Adds the groups to the session, after the last product.
  func finish() throws(CatalogError) {
    for (group, _) in groups { try session.add(.group(group), at: "group \(quoted(group.identifier))") }
  }
}
