import PriceTagLocaleData

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file of the locale data: its entries as they are written, with only their form checked.
enum LocaleDataFile: String, CaseIterable {
  case currencies = "currencies.json"
  case overrides = "currency-overrides.json"
  case storefronts = "storefronts.json"

  /// The file of a folder, or the embedded one where the folder has none (or there is no folder).
  func decode<Contents: StrictDecodable>(
    _ type: Contents.Type, from folder: String?
  ) throws(PriceTagError) -> Contents {
    let data = try bytes(from: folder)
    do {
      return try JSONDecoder().decode(Strict<Contents>.self, from: data).value
    } catch let error as DecodingError {
      throw Self.error(for: error).at(rawValue)
    } catch {
      throw PriceTagError(.invalidLocaleData, "\(error)", fix: "write the file as LocaleData/README.md says", place: rawValue)
    }
  }

  private func bytes(from folder: String?) throws(PriceTagError) -> Data {
    if let folder {
      let path = folder.hasSuffix("/") ? folder + rawValue : "\(folder)/\(rawValue)"
      if FileManager.default.fileExists(atPath: path) {
        do {
          return try Data(contentsOf: URL(filePath: path))
        } catch {
          throw PriceTagError(
            .invalidLocaleData, "\(path) cannot be read", fix: "make it a file that this process may read")
        }
      }
    }
    var count = 0
    guard let bytes = pricetag_locale_data(rawValue, &count) else {
      throw PriceTagError(.invalidLocaleData, "\(rawValue) is not embedded", fix: "build the package again")
    }
    return Data(bytes: bytes, count: count)
  }

  /// Refuses a folder that would silently replace nothing: one that is not there, has no file of a known name, or
  /// has a JSON file of another name.
  static func checkNames(in folder: String) throws(PriceTagError) {
    let known = allCases.map(\.rawValue)
    let fix = "name its files \(known.joined(separator: ", "))"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw PriceTagError(
        .invalidLocaleData, "the locale data folder \(quoted(folder)) cannot be read", fix: "give a folder that exists")
    }
    for name in names.sorted() where name.hasSuffix(".json") && !known.contains(name) {
      let meant = nearest(to: name, among: known).map { " (did you mean \($0)?)" } ?? ""
      throw PriceTagError(
        .invalidLocaleData, "\(quoted(name)) is no locale data file", fix: fix + meant, place: folder)
    }
    guard names.contains(where: known.contains) else {
      throw PriceTagError(.invalidLocaleData, "the folder has no locale data file", fix: fix, place: folder)
    }
  }

  private static func error(for error: DecodingError) -> PriceTagError {
    let context: DecodingError.Context
    var problem: String
    switch error {
    case .keyNotFound(let key, let found): (context, problem) = (found, "\(quoted(key.stringValue)) is missing")
    case .typeMismatch(_, let found), .valueNotFound(_, let found):
      (context, problem) = (found, "the value has the wrong type")
    case .dataCorrupted(let found):
      (context, problem) = (found, found.debugDescription)
      if let cause = found.underlyingError { problem += " \(cause)" }
    @unknown default: return PriceTagError(.invalidLocaleData, "\(error)", fix: "write the file as LocaleData/README.md says")
    }
    let place = context.codingPath.map { key in
      key.intValue.map { "entry \($0 + 1)" } ?? key.stringValue
    }
    return PriceTagError(
      .invalidLocaleData, problem, fix: "write the file as LocaleData/README.md says",
      place: place.joined(separator: ", "))
  }

  // MARK: Contents

  struct Currencies: StrictDecodable {
    struct Entry: StrictDecodable {
      let code: String
      let numeric: Int?
      let kind: String
      let minorUnits: Int?
      let from: CalendarDate?
      let until: CalendarDate?
      let replacedBy: String?
      let source: String
      static let fields: Set<String> = [
        "code", "numeric", "kind", "minorUnits", "from", "until", "replacedBy", "source",
      ]
    }
    struct Exception: StrictDecodable {
      let provider: String
      let code: String
      let minorUnits: Int
      let reason: String
      let source: String
      static let fields: Set<String> = ["provider", "code", "minorUnits", "reason", "source"]
    }
    let schema: Int
    let sources: [String: String]
    let currencies: [Strict<Entry>]
    let minorUnitExceptions: [Strict<Exception>]
    static let fields: Set<String> = ["schema", "sources", "currencies", "minorUnitExceptions"]
  }

  struct Overrides: StrictDecodable {
    struct Entry: StrictDecodable {
      let storefront: String?
      let currency: String?
      let symbol: String?
      let digits: Int?
      let numbering: String?
      let reason: String
      static let fields: Set<String> = ["storefront", "currency", "symbol", "digits", "numbering", "reason"]
    }
    let schema: Int
    let overrides: [Strict<Entry>]
    static let fields: Set<String> = ["schema", "overrides"]
  }

  struct Storefronts: StrictDecodable {
    struct Period: StrictDecodable {
      let currency: String
      let from: CalendarDate?
      let until: CalendarDate?
      let source: String
      static let fields: Set<String> = ["currency", "from", "until", "source"]
    }
    struct Entry: StrictDecodable {
      let id: String
      let alpha2: String
      let currencies: [Strict<Period>]
      let priceLocale: String
      let defaultLanguage: String
      let languages: [String]
      let sources: [String: String]
      static let fields: Set<String> = [
        "id", "alpha2", "currencies", "priceLocale", "defaultLanguage", "languages", "sources",
      ]
    }
    let schema: Int
    let sources: [String: String]
    let storefronts: [Strict<Entry>]
    static let fields: Set<String> = ["schema", "sources", "storefronts"]
  }
}

/// An object whose fields are all known.
protocol StrictDecodable: Decodable {
  static var fields: Set<String> { get }
}

/// Reads an object and refuses a field that its type does not have: a misspelt field would silently do nothing.
struct Strict<Value: StrictDecodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !Value.fields.contains(key.stringValue) {
      let meant = nearest(to: key.stringValue, among: Value.fields.sorted()).map { " (did you mean \($0)?)" } ?? ""
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "there is no field \(quoted(key.stringValue))\(meant)"))
    }
    value = try Value(from: decoder)
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }
}
