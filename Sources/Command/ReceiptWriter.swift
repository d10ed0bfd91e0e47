import PriceTag
import PriceTagCatalog
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
}
