import Foundation
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// A binary property list of the objects' own bytes; references and offsets have four bytes.
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

/// What is read on a thread with as small a stack as a server's may have.
private func read(_ bytes: [UInt8]) -> [String] {
  SmallThread.run {
    do throws(CatalogError) {
      let list = try ProductIdentifierList(bytes)
      return list.identifiers.map { $0 + (list.subscriptionGroups[$0].map { " (\($0))" } ?? "") }
        + list.setAside.map { "- \($0.place): \($0.problem)" }
    } catch { return ["\(error.code.rawValue): \(error.problem)"] }
  }
}

@Suite struct BinaryPropertyListTests {
  private static let damaged = ["malformed-file: the binary property list is damaged"]

  /// A row whose bytes say nothing to a person.
  struct List: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let expected: [String]

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ expected: [String]) {
      (self.name, self.bytes, self.expected) = (name, bytes, expected)
    }
  }

  static let lists: [List] = [
    List("an array", binary([array([1, 2]), string("a"), string("b")]), ["a", "b"]),
    List("none", binary([array([])]), []),
    List(
      "products and subscriptions",
      binary([
        dictionary([(1, 2), (3, 4)]), string("Products"), array([5]), string("Subscriptions"), array([6]),
        string("a"), dictionary([(7, 8), (1, 9)]), string("Group"), string("vip"), array([10]), string("b"),
      ]),
      ["a", "b (vip)"]
    ),
    List(
      "entries of other types",
      binary([array([1, 2, 3, 4, 5]), [0x10, 5], [0x09], array([]), [0x62, 0xD8, 0, 0, 0x61], string("a")]),
      [
        "a", "- entry 1: the number 5 stands where a product identifier is expected",
        "- entry 2: a value that is no string stands where a product identifier is expected",
        "- entry 3: an array stands where a product identifier is expected",
        "- entry 4: a value that is no string stands where a product identifier is expected",
      ]
    ),
    List("a string", binary([string("a")]), ["malformed-file: a string stands where a list is expected"]),
    List(
      "itself",
      binary([array([0])]),
      ["- entry 1: an array stands where a product identifier is expected"]
    ),
    List(
      "itself as its subscriptions",
      binary([
        dictionary([(1, 2), (3, 4)]), string("Subscriptions"), array([0, 0]), string("Products"), array([0]),
      ]),
      [
        "- Products, entry 1: the object has no \"productIdentifier\"",
        "- Subscriptions, entry 1: the subscription group has no name",
        "- Subscriptions, entry 1, Products, entry 1: the object has no \"productIdentifier\"",
        "- Subscriptions, entry 2: the subscription group has no name",
        "- Subscriptions, entry 2, Products, entry 1: the object has no \"productIdentifier\"",
      ]
    ),
    List(
      "nested deeply",
      binary((1...100_000).map { array([$0]) } + [string("a")]),
      ["- entry 1: an array stands where a product identifier is expected"]
    ),
    List(
      "one that grows",
      binary((1...30).map { array([UInt32](repeating: $0, count: 14)) } + [string("a")]),
      ["too-large: the property list has more than 400000 values"]
    ),
    List(
      "one that grows at once",
      binary([1, 2].map { array([UInt32](repeating: $0, count: 100_000)) } + [string("a")]),
      ["too-large: the property list has more than 400000 values"]
    ),
    List(
      "more entries than there are bytes",
      binary([[0xAF, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)]),
      damaged
    ),
    List(
      "more members than there are bytes",
      binary([[0xDF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7)]),
      damaged
    ),
    List(
      "more characters than there are bytes",
      binary([[0x6F, 0x13, 0x40] + [UInt8](repeating: 0, count: 7)]),
      damaged
    ),
    List("more objects than there are bytes", binary([string("a")], count: .max), damaged),
    List("a top object that is none", binary([string("a")], top: 1 << 63), damaged),
    List("an offset that is none", binary([string("a")], offsets: [1 << 31]), damaged),
    List("an offset of no bytes", binary([string("a")], offsetSize: 0), damaged),
    List("an offset of too many bytes", binary([string("a")], offsetSize: 255), damaged),
    List("a reference of no bytes", binary([array([0])], referenceSize: 0), damaged),
    List("another version", Array("bplist15".utf8) + [UInt8](repeating: 0, count: 40), damaged),
  ]

  @Test(arguments: lists)
  func aBinaryPropertyListIsRead(_ list: List) {
    let found = read(list.bytes)
    #expect(found == list.expected)
  }

  @Test func damageIsNeverMoreThanAnError() throws {
    let whole = binary([dictionary([(1, 2)]), string("Products"), array([3, 4]), string("a"), string("b")])
    #expect(read(whole) == ["a", "b"])
    for count in 8..<whole.count { _ = read(Array(whole[..<count])) }
    for index in 8..<whole.count {
      for byte: UInt8 in [0x00, 0x0F, 0x7F, 0x80, 0xAF, 0xDF, 0xFF] {
        var damaged = whole
        damaged[index] = byte
        _ = read(damaged)
      }
    }
  }

  /// As Foundation writes it.
  @Test func whatFoundationWritesIsRead() throws {
    let list: [String: Any] = ["Products": ["com.example.level1", "é"]]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    #expect(
      read(Array(data)) == ["com.example.level1", "- Products, entry 2: \"é\" is not a product identifier"]
    )
  }
}

/// Runs what should need little stack on a thread that has little: 512 KB.
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
