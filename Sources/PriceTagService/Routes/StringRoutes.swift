import HTTPTypes
import Hummingbird
import NIOCore
import PriceTag
import PriceTagStrings
import PriceTagText

/// The storefronts, the languages, the UI strings, and messages formatted: what needs no catalogue.
struct StringRoutes: Sendable {
  let configuration: ServiceConfiguration
  let source: ShopSource

  // MARK: Storefronts

  func storefronts(on date: CalendarDate) throws(Problem) -> Answer {
    do throws(PriceTagError) {
      var all: [String] = []
      for storefront in source.localeData.storefronts { all.append(try storefront.json(on: date)) }
      return Answer(jsonArray(all))
    } catch { throw Problem.internal }
  }

  func storefront(_ id: String, on date: CalendarDate) throws(Problem) -> Answer {
    do throws(PriceTagError) {
      return Answer(try Storefront(id, in: source.localeData).json(on: date))
    } catch { throw Problem(inAddress: error) }
  }

  // MARK: Strings

  func languages() -> Answer { Answer(jsonArray(source.strings.languages.map(\.json))) }

  func strings(in tag: String) throws(Problem) -> Answer {
    do throws(StringsError) {
      let language = try UILanguage(tag)
      let answering = language.isPseudo ? language : try source.strings.nearest(language)
      var messages: [String] = []
      for key in source.strings.keys {
        messages.append(try source.strings.message(key, in: answering).json(key: key))
      }
      var answer = Answer(jsonArray(messages))
      answer.headers[.contentLanguage] = answering.identifier
      return answer
    } catch { throw Problem(inAddress: error) }
  }

  func messages(_ request: Request, _ reservation: BufferReservation) async throws -> Answer {
    let body = try await request.json(mostBytes: configuration.limits.bodyBytes, reservation)
    return try await Workers.shared.run(configuration.work) { () throws(Problem) in try messages(body) }
  }

  private func messages(_ body: ByteBuffer) throws(Problem) -> Answer {
    let most = configuration.itemsPerRequest
    let parsed = body.withUnsafeReadableBytes { bytes in
      Result { () throws(Problem) in
        try RowsBody(bytes.bindMemory(to: UInt8.self), rows: "messages", mostRows: most)
      }
    }
    let body = try parsed.get()
    let fields = try RequestFields(body.options, known: ["language", "isolation", "at"])
    let language = try fields.parsed("language") { (tag) throws(StringsError) in
      try UILanguage(tag).identifier
    }
    var rows = MessageRows(
      strings: source.strings,
      language: language ?? UILanguage.development.identifier,
      isolation: try fields.choice("isolation", default: Isolation.isolates)
    )
    var reader = MessageArgumentsReader(
      localeData: source.localeData,
      at: try fields.date("at") ?? source.date
    )
    var answer = ByteBuffer(string: "{\"messages\":[")
    for (index, line) in body.lines.split(separator: 0x0A).enumerated() {
      let pointer = "/messages/\(index)"
      guard let row = String(validating: line, as: UTF8.self) else {
        throw Problem(
          .badRequest,
          "invalid-utf8",
          "the body is not UTF-8",
          fix: "write JSON as RFC 8259 has it",
          pointer: pointer
        )
      }
      let (text, error) = rows.answer(row, &reader)
      let answered =
        error.map { rowError(code: $0.code.rawValue, message: $0.description, pointer: pointer) } ?? text
      try WorkBudget.spend(byteCount: answered.utf8.count + 1)
      if index > 0 { answer.writeInteger(UInt8(ascii: ",")) }
      answer.writeString(answered)
    }
    answer.writeString("]}")
    return Answer(answer)
  }
}
