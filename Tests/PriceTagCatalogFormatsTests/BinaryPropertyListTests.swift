import Foundation
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// Returns a binary property list with encoded objects. References and offsets have four bytes.
private func binary(
  _ objects: [[UInt8]],
  count: UInt64? = nil,
  top: UInt64 = 0,
  offsets: [UInt32]? = nil,
  offsetSize: UInt8 = 4,
  referenceSize: UInt8 = 4
) -> [UInt8] {
  var bytes = Array("bplist00".utf8)
  var found: [UInt32] = []
  for object in objects {
    found.append(UInt32(bytes.count))
    bytes += object
  }
  let table = UInt64(bytes.count)
  for offset in offsets ?? found { bytes += big(offset) }
  return bytes + [0, 0, 0, 0, 0, 0, offsetSize, referenceSize] + big(count ?? UInt64(objects.count))
    + big(top)
    + big(table)
}

private func array(_ references: [UInt32]) -> [UInt8] {
  let head =
    references.count < 15 ? [0xA0 | UInt8(references.count)] : [0xAF, 0x12] + big(UInt32(references.count))
  return head + references.flatMap(big)
}

private func dictionary(_ members: [(key: UInt32, value: UInt32)]) -> [UInt8] {
  [0xD0 | UInt8(members.count)] + members.flatMap { big($0.key) } + members.flatMap { big($0.value) }
}

private func string(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + text.utf8 }

private func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian, Array.init)
}

/// Reads a list on a thread with a small stack, as in a server.
private func read(_ bytes: [UInt8]) -> [String] {
  SmallThread.run {
    do throws(CatalogError) {
      let list = try ProductIdentifierList(bytes)
      return list.identifiers.map { $0 + (list.subscriptionGroups[$0].map { " (\($0))" } ?? "") }
        + list.rejects.map { "- \($0.place): \($0.problem)" }
    } catch { return ["\(error.code.rawValue): \(error.problem)"] }
  }
}

@Suite struct BinaryPropertyListTests {
  private static let malformed = "malformed-file: the binary property list is malformed"

  static let lists: [ListCase] = [
    ListCase("an array", binary([array([1, 2]), string("a"), string("b")]), "a", "b"),
    ListCase("an empty array", binary([array([])])),
    ListCase(
      "products and subscriptions",
      binary([
        dictionary([(1, 2), (3, 4)]), string("Products"), array([5]), string("Subscriptions"), array([6]),
        string("a"), dictionary([(7, 8), (1, 9)]), string("Group"), string("vip"), array([10]), string("b"),
      ]),
      "a",
      "b (vip)"
    ),
    ListCase(
      "entries of other types",
      binary([array([1, 2, 3, 4, 5]), [0x10, 5], [0x09], array([]), [0x62, 0xD8, 0, 0, 0x61], string("a")]),
      "a",
      "- entry 1: the entry must be a product identifier, not the number 5",
      "- entry 2: the entry must be a product identifier, not a value that is not a string",
      "- entry 3: the entry must be a product identifier, not an array",
      "- entry 4: the entry must be a product identifier, not a value that is not a string"
    ),
    ListCase(
      "a string",
      binary([string("a")]),
      "malformed-file: the list must be an array or an object, not a string"
    ),
    ListCase(
      "an array that contains itself",
      binary([array([0])]),
      "- entry 1: the entry must be a product identifier, not an array"
    ),
    ListCase(
      "an object that contains itself",
      binary([
        dictionary([(1, 2), (3, 4)]), string("Subscriptions"), array([0, 0]), string("Products"), array([0]),
      ]),
      "- Products, entry 1: the field \"productIdentifier\" is missing",
      "- Subscriptions, entry 1: the subscription group has no name",
      "- Subscriptions, entry 1, Products, entry 1: the field \"productIdentifier\" is missing",
      "- Subscriptions, entry 2: the subscription group has no name",
      "- Subscriptions, entry 2, Products, entry 1: the field \"productIdentifier\" is missing"
    ),
    ListCase(
      "nested deeply",
      binary((1...100_000).map { array([$0]) } + [string("a")]),
      "- entry 1: the entry must be a product identifier, not an array"
    ),
    ListCase(
      "exponentially many values",
      binary((1...30).map { array([UInt32](repeating: $0, count: 14)) } + [string("a")]),
      "too-large: the property list has more than 400000 values"
    ),
    ListCase(
      "many references to a large array",
      binary([1, 2].map { array([UInt32](repeating: $0, count: 100_000)) } + [string("a")]),
      "too-large: the property list has more than 400000 values"
    ),
    ListCase(
      "more entries than there are bytes",
      binary([[0xAF, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)]),
      malformed
    ),
    ListCase(
      "more members than there are bytes",
      binary([[0xDF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7)]),
      malformed
    ),
    ListCase(
      "more characters than there are bytes",
      binary([[0x6F, 0x13, 0x40] + [UInt8](repeating: 0, count: 7)]),
      malformed
    ),
    ListCase("more objects than there are bytes", binary([string("a")], count: .max), malformed),
    ListCase("an invalid top object", binary([string("a")], top: 1 << 63), malformed),
    ListCase("an invalid offset", binary([string("a")], offsets: [1 << 31]), malformed),
    ListCase("an offset of no bytes", binary([string("a")], offsetSize: 0), malformed),
    ListCase("an offset of too many bytes", binary([string("a")], offsetSize: 255), malformed),
    ListCase("a reference of no bytes", binary([array([0])], referenceSize: 0), malformed),
    ListCase("another version", Array("bplist15".utf8) + [UInt8](repeating: 0, count: 40), malformed),
  ]

  @Test(arguments: lists)
  func readsBinaryPropertyList(_ list: ListCase) {
    let found = read(list.bytes)
    #expect(found == list.expected)
  }

  @Test func damagedFileDoesNotCrash() throws {
    let intact = binary([dictionary([(1, 2)]), string("Products"), array([3, 4]), string("a"), string("b")])
    #expect(read(intact) == ["a", "b"])
    for count in 8..<intact.count { _ = read(Array(intact[..<count])) }
    for index in 8..<intact.count {
      for byte: UInt8 in [0x00, 0x0F, 0x7F, 0x80, 0xAF, 0xDF, 0xFF] {
        var damaged = intact
        damaged[index] = byte
        _ = read(damaged)
      }
    }
  }

  /// A file written by Foundation.
  @Test func readsFoundationOutput() throws {
    let list: [String: Any] = ["Products": ["com.example.level1", "é"]]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    #expect(
      read(Array(data)) == ["com.example.level1", "- Products, entry 2: \"é\" is not a product identifier"]
    )
  }
}

/// A list of product identifiers, described by its name instead of its bytes.
struct ListCase: CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let expected: [String]
  let file: String

  var testDescription: String { name }

  init(_ name: String, _ bytes: [UInt8], _ expected: String..., file: String = "") {
    (self.name, self.bytes, self.expected, self.file) = (name, bytes, expected, file)
  }
}

/// Runs a closure on a thread with a stack of 512 KB.
enum SmallThread {
  private final class Outcome: @unchecked Sendable {
    var value: [String] = []
  }

  static func run(_ body: @escaping @Sendable () -> [String]) -> [String] {
    let outcome = Outcome()
    let end = DispatchSemaphore(value: 0)
    let thread = Thread {
      outcome.value = body()
      end.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    end.wait()
    return outcome.value
  }
}
