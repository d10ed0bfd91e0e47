import PriceTag
import PriceTagCatalog
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ListValue {
  /// Creates a value from a binary property list.
  ///
  /// - Throws: `.malformedFile`, `.tooLarge`.
  init(binaryPropertyList bytes: [UInt8]) throws(CatalogError) {
    let decoder = PropertyListDecoder()
    if let key = DecodedValue.budgetKey { decoder.userInfo[key] = Budget() }
    do { self = try decoder.decode(DecodedValue.self, from: Data(bytes)).value } catch {
      throw error as? CatalogError
        ?? CatalogError(
          .malformedFile,
          "the binary property list is malformed",
          fix: "save it again, or convert it to XML with plutil -convert xml1"
        )
    }
  }
}

/// The number of values that may still be decoded. Values of a binary property list are references, which can be
/// repeated and cyclic, so a small file can describe an unlimited number of values.
private final class Budget: Sendable {
  private let remaining = Mutex(4 * ProductIdentifierList.maximumCount)

  func spend(_ count: Int = 1) throws(CatalogError) {
    let isEnough = remaining.withLock { remaining in
      remaining -= min(count, remaining + 1)
      return remaining >= 0
    }
    guard isEnough else {
      throw CatalogError(
        .tooLarge,
        "the property list has more than \(4 * ProductIdentifierList.maximumCount) values",
        fix: "split it"
      )
    }
  }
}

/// A decoded value, down to the maximum depth of a list of identifiers.
private struct DecodedValue: Decodable {
  static let budgetKey = CodingUserInfoKey(rawValue: "budget")
  private static let maximumDepth = 6

  let value: ListValue

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let budget = Self.budgetKey.flatMap { decoder.userInfo[$0] as? Budget }
    try budget?.spend()
    var content = ListValue.Content.other("a value that is not a string")
    if decoder.codingPath.count >= Self.maximumDepth {
      content = .other("a deeply nested value")
    } else if let text = try? decoder.singleValueContainer().decode(String.self) {
      content = .string(text)
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [ListValue] = []
      while !container.isAtEnd { values.append(try container.decode(DecodedValue.self).value) }
      content = .array(values)
    } else if let container = try? decoder.container(keyedBy: Key.self) {
      let keys = container.allKeys
      try budget?.spend(keys.count)
      content = .object(
        try keys.map { ($0.stringValue, try container.decode(DecodedValue.self, forKey: $0).value) }
      )
    } else if let number = try? decoder.singleValueContainer().decode(Int64.self) {
      content = .number(String(number))
    }
    value = ListValue(content: content, line: nil)
  }
}
