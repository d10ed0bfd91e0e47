import NIOCore
import PriceTag
import PriceTagReading
import PriceTagText

/// `POST /v1/read`, which reads displayed prices back.
struct ReadRoutes: Sendable {
  let configuration: ServiceConfiguration
  let source: CatalogSource
  let metrics: ServiceMetrics
  /// The readers of all requests share the symbols of currencies.
  let all: PriceReaders

  /// The maximum number of readers that a request keeps.
  private static let maximumReaderCount = 64

  func read(_ body: ByteBuffer, on day: StoreDay) throws(Problem) -> Answer {
    let rows = try RowsBody(body, rows: "texts", maximumRowCount: configuration.itemsPerRequest)
    let options = try RequestFields(rows.options, known: ["style", "at", "lenient"])
    let style = try options.style(at: "style")
    let day = try options.day("at") ?? day
    let isLenient = try options.flag("lenient", default: false)
    var readers: [PriceOrigin: PriceReader] = [:]
    var (accepted, rejected) = (0, [String: Int]())

    func reading(of line: ArraySlice<UInt8>, _ pointer: String) throws(Problem) -> String {
      let value: JSONValue
      do throws(Problem) {
        value = try line.withUnsafeBufferPointer { (bytes) throws(Problem) in try RowsBody.value(bytes) }
      } catch { throw .invalidJSON(error.code, error.detail, pointer: pointer) }
      do throws(Problem) {
        let row = try Row(value, pointer, source.localeData)
        let reader: PriceReader
        if let cached = readers[row.origin] {
          reader = cached
        } else {
          reader = all.reader(try row.formatter(in: source.localeData, on: day, style))
          if readers.count == Self.maximumReaderCount { readers = [:] }
          readers[row.origin] = reader
        }
        let reading = reader.reading(of: row.text, row.isLenient ?? isLenient ? .lenient : .strict)
        switch reading.result {
        case .success: accepted += 1
        case .failure(let error): rejected[error.code.rawValue, default: 0] += 1
        }
        return jsonObject(reading.jsonFields(pointer: pointer + "/text"))
      } catch {
        rejected[error.code, default: 0] += 1
        return rowError(
          code: error.code,
          message: "\(error.detail); \(error.fix)",
          pointer: error.pointer ?? pointer
        )
      }
    }

    let answer = try rows.answer("prices", reading)
    metrics.count(formatted: accepted, rejected: rejected)
    return answer
  }

  /// A text, and the store whose prices it is one of.
  private struct Row {
    let text: String
    let isLenient: Bool?
    /// The store, with the text of its date.
    let origin: PriceOrigin
    private let day: StoreDay?
    private let pointer: String

    init(_ value: JSONValue, _ pointer: String, _ localeData: LocaleData) throws(Problem) {
      guard case .object(let object) = value else {
        let detail = "the row is not an object, but \(value.kind)"
        throw Problem(.unprocessableContent, "not-an-object", detail, fix: "use an object", pointer: pointer)
      }
      let names = ["storefront", "priceLocale", "currency", "at", "text", "lenient"]
      let fields = try RequestFields(object, at: pointer, known: names)
      text = try fields.required("text")
      isLenient = fields["lenient"] == nil ? nil : try fields.flag("lenient", default: false)
      day = try fields.day("at")
      origin = PriceOrigin(
        storefront: try fields.parsed("storefront") { (id) throws(PriceTagError) in
          try Storefront(id, in: localeData).id
        },
        priceLocale: try fields.parsed("priceLocale") { (tag) throws(PriceTagError) in
          try PriceLocale(tag).identifier
        },
        currency: try fields.parsed("currency") { (code) throws(PriceTagError) in
          try Currency(code, in: localeData).code
        },
        at: try fields.text("at")
      )
      self.pointer = pointer
    }

    func formatter(
      in localeData: LocaleData,
      on day: StoreDay,
      _ style: PriceStyle
    ) throws(Problem) -> PriceFormatter {
      var origin = origin
      origin.at = nil
      do throws(PriceTagError) {
        return try origin.formatter(in: localeData, on: self.day ?? day, style: style)
      } catch { throw Problem(error, pointer: pointer) }
    }
  }
}
