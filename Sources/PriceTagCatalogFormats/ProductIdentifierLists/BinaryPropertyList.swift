import PriceTag
import PriceTagCatalog
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ListValue {
  /// A value of a binary property list.
  ///
  /// - Throws: `.malformedFile`, `.tooLarge`.
  init(binaryPropertyList bytes: [UInt8]) throws(CatalogError) {
    let decoder = PropertyListDecoder()
    if let key = DecodedValue.budgetKey { decoder.userInfo[key] = Budget() }
    do { self = try decoder.decode(DecodedValue.self, from: Data(bytes)).value } catch {
      throw error as? CatalogError
        ?? CatalogError(
          .malformedFile,
          "the binary property list is damaged",
          fix: "write it again, or give it as XML (plutil -convert xml1)"
        )
    }
  }
}

/// How many values are still decoded. In a binary property list a value may stand in many places, itself among them:
/// a small one can be endless.
private final class Budget: Sendable {
  private let left = Mutex(4 * ProductIdentifierList.maximumCount)

  func take(_ count: Int = 1) throws(CatalogError) {
    let isEnough = left.withLock { left in
      left -= min(count, left + 1)
      return left >= 0
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

/// A value as it is decoded: no deeper than a list of identifiers goes.
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
    try budget?.take()
    var content = ListValue.Content.other("a value that is no string")
    if decoder.codingPath.count >= Self.maximumDepth {
      content = .other("a value that is nested deeply")
    } else if let text = try? decoder.singleValueContainer().decode(String.self) {
      content = .string(text)
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [ListValue] = []
      while !container.isAtEnd { values.append(try container.decode(DecodedValue.self).value) }
      content = .array(values)
    } else if let container = try? decoder.container(keyedBy: Key.self) {
      let keys = container.allKeys
      try budget?.take(keys.count)
      content = .object(
        try keys.map { ($0.stringValue, try container.decode(DecodedValue.self, forKey: $0).value) }
      )
    } else if let number = try? decoder.singleValueContainer().decode(Int64.self) {
      content = .number(String(number))
    }
    value = ListValue(content: content, line: nil)
  }
}
