import HTTPTypes
import Hummingbird
import NIOCore
import PriceTag
import PriceTagStrings
import PriceTagText

/// Storefronts, languages, UI strings and formatted messages: the routes that need no catalog.
struct StringRoutes: Sendable {
  let configuration: ServiceConfiguration
  let source: CatalogSource

  // MARK: Storefronts

  /// Returns the storefronts, or the evidence for how they write prices. With a pack, those whose prices the pack has.
  func storefronts(on day: StoreDay, evidence: Bool) throws(Problem) -> Answer {
    var all: [String] = []
    for storefront in source.localeData.storefronts {
      do throws(PriceTagError) {
        all.append(try json(storefront, on: day, evidence: evidence))
      } catch {
        if error.code == .unknownTimeZone { throw Problem(error, .internalServerError) }
        guard error.code == .missingFromPack || error.code == .packMismatch else { throw Problem.internal }
      }
    }
    return Answer(jsonArray(all))
  }

  func storefront(_ storefront: Storefront, on day: StoreDay, evidence: Bool) throws(Problem) -> Answer {
    do throws(PriceTagError) {
      return Answer(try json(storefront, on: day, evidence: evidence))
    } catch {
      throw error.code == .unknownTimeZone
        ? Problem(error, .internalServerError) : Problem(inAddress: error)
    }
  }

  private func json(
    _ storefront: Storefront,
    on day: StoreDay,
    evidence: Bool
  ) throws(PriceTagError) -> String {
    let date = try storefront.currencyDate(on: day)
    return evidence
      ? try storefront.jsonWithEvidence(on: date, in: source.localeData)
      : try storefront.json(on: date)
  }

  // MARK: Strings

  func languages() -> Answer { Answer(jsonArray(source.strings.languages.map(\.json))) }

  func strings(in tag: String) throws(Problem) -> Answer {
    do throws(StringsError) {
      let language = try UILanguage(tag)
      let matched = language.isPseudo ? language : try source.strings.closestLanguage(to: language)
      var messages: [String] = []
      for key in source.strings.keys {
        messages.append(try source.strings.message(key, in: matched).json(key: key))
      }
      var answer = Answer(jsonArray(messages))
      answer.headers[.contentLanguage] = matched.identifier
      return answer
    } catch { throw Problem(inAddress: error) }
  }

  func messages(_ body: ByteBuffer, on day: StoreDay) throws(Problem) -> Answer {
    let body = try RowsBody(body, rows: "messages", maximumRowCount: configuration.itemsPerRequest)
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
      at: try fields.day("at") ?? day
    )
    return try body.answer("messages") { (line, pointer) throws(Problem) in
      guard let row = String(validating: line, as: UTF8.self) else {
        throw .invalidJSON("invalid-utf8", "the body is not UTF-8", pointer: pointer)
      }
      let (text, error) = rows.answer(row, &reader)
      return error.map { rowError(code: $0.code.rawValue, message: $0.description, pointer: pointer) } ?? text
    }
  }
}
