import PriceTag
import PriceTagCatalog
import PriceTagReceipts
import PriceTagStrings
import PriceTagText

/// Orders in JSON, and what becomes of them.
enum ReceiptHarness {
  /// Returns the receipt of an order in JSON.
  static func receipt(
    _ json: String,
    language: String? = nil,
    catalog: Catalog? = nil,
    storefront: String? = nil
  ) throws -> Receipt {
    let reader = OrderReader(storefront: try storefront.map { try Storefront($0) })
    return try Receipt(
      reader.order(Array(json.utf8)),
      language: language.map { try UILanguage($0) },
      catalog: catalog
    )
  }

  /// Returns the labels and amounts below the lines, or the error, on one line.
  static func totals(_ json: String, language: String? = "en-US", storefront: String? = nil) -> String {
    do {
      let receipt = try receipt(json, language: language, storefront: storefront)
      let rows = receipt.totals.map { total in
        let notes = [total.name, total.rate.map { "\($0)%" }].compactMap(\.self).joined(separator: " ")
        return "\(total.label.plain)\(notes.isEmpty ? "" : " (\(notes))") \(total.price.text)"
      }
      return rows.joined(separator: ", ").replacing("\u{A0}", with: " ")
    } catch { return "\(error)" }
  }

  /// Returns an order with some members replaced or, with `nil`, removed.
  static func order(_ changes: [String: String?] = [:]) -> String {
    json(
      [
        "storefront": "\"USA\"", "date": "\"2026-11-23\"", "charged": "\"9.98\"",
        "lines": #"[{"productIdentifier":"level1","quantity":2,"unitPrice":"4.99"}]"#,
      ],
      changes
    )
  }

  /// Returns an object in JSON with some members replaced or, with `nil`, removed.
  static func json(_ members: [String: String], _ changes: [String: String?]) -> String {
    var members = members
    for (key, value) in changes { members[key] = value }
    return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
}
