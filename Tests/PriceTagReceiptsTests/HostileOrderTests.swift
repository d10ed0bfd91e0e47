import PriceTag
import PriceTagReceipts
import PriceTagText
import SeededNumbers
import Testing

/// Orders with random errors give a receipt or an error.
@Suite struct HostileOrderTests {
  private static let values = [
    "null", "true", "0", "-1", "1e999999999", "9223372036854775807", "-9223372036854775808",
    "99999999999999999.99",
    "0.000000000000000001", "\"\"", "\"\\u202e\\u2069\\u0000\"", "\"\\ud83d\\ude80\"", "[]", "{}",
    "[[[[[[[[]]]]]]]]",
    "\"\(String(repeating: "<b>&", count: 300))\"", "253402300799999", "1000000", "\"JPN\"", "\"2026-02-30\"",
  ]

  @Test(arguments: 1...8) func neverTrap(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let samples = [
      ReceiptOutputTests.order, ProviderOrderTests.transaction(), ProviderOrderTests.session(),
      ReceiptHarness.order([
        "shipping": #"{"amount":"1","tax":"0.1"}"#, "taxIncluded": "true", "charged": "10.98",
      ]),
      ReceiptHarness.order([
        "lines":
          #"[{"name":"a","quantity":2.5,"subtotal":"9.98","taxes":[{"name":"GST","rate":5,"amount":"0.5"}]}]"#,
        "taxes": #"[{"name":"QST","rate":"9.975","amount":"0.5","included":true}]"#, "taxIncluded": "true",
      ]),
    ]
    var (receipts, errors) = (0, 0)
    for sample in samples {
      for _ in 0..<250 {
        var json = sample
        for _ in 0..<numbers.number(1...3) { json = Self.changed(json, &numbers) }
        do throws(ReceiptError) {
          let receipt = try Receipt(OrderReader().order(Array(json.utf8)))
          let forms = receipt.json(including: [.page, .email, .text])
          #expect(forms.utf8.allSatisfy { $0 >= 0x20 }, "\(json)")
          receipts += 1
        } catch {
          #expect(!error.problem.isEmpty && !error.fix.isEmpty)
          #expect(error.description.utf8.count < 1000, "\(error)")
          errors += 1
        }
      }
    }
    #expect(receipts > 10 && errors > 100, "\(receipts) receipts, \(errors) errors")
  }

  /// Replaces the value of a random member, or removes or changes a random byte.
  private static func changed(_ json: String, _ numbers: inout SeededNumbers) -> String {
    let members = json.matches(of: #/"[A-Za-z_]+":("(?:[^"\\]|\\.)*"|-?[0-9.]+|true|false|null)/#)
    if let match = members.randomElement(using: &numbers), !numbers.isOne(in: 4) {
      var changed = json
      changed.replaceSubrange(match.1.startIndex..<match.1.endIndex, with: numbers.pick(values))
      return changed
    }
    var bytes = Array(json.utf8)
    guard let index = bytes.indices.randomElement(using: &numbers) else { return json }
    if numbers.isOne(in: 2) {
      bytes.remove(at: index)
    } else {
      bytes[index] = UInt8(numbers.number(0x20...0x7E))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
