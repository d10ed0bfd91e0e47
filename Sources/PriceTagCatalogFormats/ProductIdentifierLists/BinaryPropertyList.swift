import PriceTag
import PriceTagCatalog
import PriceTagText

extension ListValue {
  /// Creates a value from a binary property list.
  ///
  /// - Throws: `.malformedFile`, `.tooLarge`.
  init(binaryPropertyList bytes: [UInt8]) throws(CatalogError) {
    var decoder = BinaryPropertyListDecoder(list: BinaryPropertyList(bytes))
    self = try decoder.value(decoder.list?.topObject ?? 0, depth: 0)
  }
}

/// Reads the values of a property list, down to the maximum depth of a list of identifiers.
private struct BinaryPropertyListDecoder {
  let list: BinaryPropertyList?
  /// The number of values that may still be read. They are references, which can be repeated and cyclic, so a small file
  /// can describe an unlimited number of values.
  private var remaining = maximumCount

  private static let maximumCount = 4 * ProductIdentifierList.maximumCount
  private static let maximumDepth = 6

  init(list: BinaryPropertyList?) { self.list = list }

  mutating func value(_ number: Int, depth: Int) throws(CatalogError) -> ListValue {
    remaining -= 1
    guard remaining >= 0 else {
      throw CatalogError(
        .tooLarge,
        "the property list has more than \(Self.maximumCount) values",
        fix: "split it"
      )
    }
    guard depth < Self.maximumDepth else {
      return ListValue(content: .other("a deeply nested value"), line: nil)
    }
    guard let object = list?.object(number) else { throw Self.malformed }
    return ListValue(content: try content(object, depth: depth), line: nil)
  }

  private mutating func content(
    _ object: BinaryPropertyList.Object,
    depth: Int
  ) throws(CatalogError) -> ListValue.Content {
    switch object {
    case .string(let text?): return .string(text)
    case .integer(let number): return .number(String(number))
    case .array(let elements):
      var values: [ListValue] = []
      for element in elements { values.append(try value(element, depth: depth + 1)) }
      return .array(values)
    case .dictionary(let members):
      remaining -= members.count
      var values: [ListValue.Member] = []
      for member in members {
        guard case .string(let key?)? = list?.object(member.key) else { throw Self.malformed }
        values.append((key, try value(member.value, depth: depth + 1)))
      }
      return .object(values)
    case .string(nil), .other: return .other("a value that is not a string")
    }
  }

  private static let malformed = CatalogError(
    .malformedFile,
    "the binary property list is malformed",
    fix: "save it again, or convert it to XML with plutil -convert xml1"
  )
}
