import PriceTag
import PriceTagCatalog
import PriceTagText

/// The names of categories and subscription groups in a file. The products of a group may name it once or several times.
final class CatalogCSVGroups {
  private struct Key: Hashable {
    let kind: ProductGroup.Kind
    let identifier: String
  }

  private let session: ImportSession
  private var groups: [Key: ProductGroup] = [:]
  /// The keys in the order of the file.
  private var keys: [Key] = []
  /// The line of each name, by key and language.
  private var lines: [Key: [String: Int]] = [:]
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
    let key = Key(kind: kind, identifier: identifier)
    if groups[key] == nil {
      guard keys.count < Self.maximumCount else {
        throw CatalogError(
          .tooLarge,
          "the file names more than \(Self.maximumCount) categories and subscription groups",
          fix: "name the others in another file"
        )
      }
      keys.append(key)
    }
    var group = groups[key] ?? ProductGroup(kind, identifier)
    if let other = group.names[language], let first = lines[key]?[language] {
      guard other == name else {
        throw CatalogError(
          .duplicate,
          "\(quoted(name)) differs from \(quoted(other)) in line \(first)",
          fix: "write one name for \(quoted(identifier))"
        )
      }
      return
    }
    group.names[language] = name
    groups[key] = group
    lines[key, default: [:]][language] = line
  }

  /// Adds the groups to the session, after the last product.
  func finish() throws(CatalogError) {
    for key in keys {
      if let group = groups[key] { try session.add(.group(group), at: "group \(quoted(key.identifier))") }
    }
  }
}
