import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagReceipts
import PriceTagStrings
import PriceTagText

/// Creates receipts from orders in JSON.
struct ReceiptWriter {
  let reader: OrderReader
  let language: UILanguage?
  let catalog: Catalog?
  let strings: StoreStrings
  let writtenAs: PriceStyle.WrittenAs

  /// Returns the receipt of an order.
  func receipt(_ json: [UInt8]) throws(ReceiptError) -> Receipt {
    try Receipt(
      reader.order(json),
      language: language,
      catalog: catalog,
      strings: strings,
      writtenAs: writtenAs
    )
  }

  /// Returns the receipt of a line as JSON with other forms, and its findings.
  func line(
    _ json: [UInt8],
    _ forms: [ReceiptForm]
  ) -> Result<(json: String, findings: [ReceiptFinding]), ReceiptError> {
    Result { () throws(ReceiptError) in
      let receipt = try receipt(json)
      return (receipt.json(including: forms), receipt.findings)
    }
  }

  /// The import of a catalog file uses the date of today; prices are those of the date of each order.
  static func importOptions(_ localeData: LocaleData) -> ImportOptions {
    ImportOptions(localeData: localeData, date: .today)
  }
}
