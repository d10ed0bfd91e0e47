import PriceTag
import PriceTagText

/// Reads message arguments from JSON.
///
///     var reader = MessageArgumentsReader()
///     let json = #"{"count":3,"price":{"storefront":"USA","amount":"4.99"}}"#
///     let arguments = try reader.arguments(Array(json.utf8))
///
/// | JSON value | Argument |
/// | --- | --- |
/// | a number | a count |
/// | a string | a text |
/// | `{"storefront":"USA","amount":"4.99"}`, optionally with `priceLocale`, `currency` and `at` | a price |
/// | `{"percent":"16"}` | a percentage |
/// | `{"period":"P1M"}` | a period |
/// | `{"languageName":"ja"}` | the name of a language |
/// | `{"storefrontName":"JPN"}` | the name of a storefront's territory |
/// | `{"date":"2026-12-01"}` | a date |
///
/// A reader caches price formatters, so use one for many messages.
public struct MessageArgumentsReader: Sendable {
  private let localeData: LocaleData
  private let day: StoreDay?
  /// The cached formatters.
  private var formatters: [PriceOrigin: PriceFormatter] = [:]

  /// The maximum number of cached formatters.
  private static let maximumFormatterCount = 2000

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - localeData: The storefronts and currencies to use.
  ///   - day: The day of prices without the field `at`; `nil` for now, on the storefront's own date.
  public init(localeData: LocaleData = .embedded, at day: StoreDay? = nil) {
    self.localeData = localeData
    self.day = day
  }

  /// Returns the arguments in a JSON object.
  ///
  /// - Throws: `.invalidArgument`, with the name of the argument.
  public mutating func arguments(_ json: [UInt8]) throws(StringsError) -> MessageArguments {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.value(of: json) } catch {
      throw StringsError(
        .invalidArgument,
        "the arguments are not valid JSON: \(error.problem)",
        fix: #"write an object such as {"count":3}"#
      )
    }
    return try arguments(value)
  }

  /// Returns the arguments in a JSON value.
  package mutating func arguments(_ value: JSONValue) throws(StringsError) -> MessageArguments {
    guard case .object(let object) = value else {
      throw StringsError(
        .invalidArgument,
        "the arguments must be an object, not \(value.kind)",
        fix: #"write an object such as {"count":3}"#
      )
    }
    var arguments = MessageArguments()
    for member in object.members {
      do throws(StringsError) {
        arguments.append(member.key, try argument(member.value))
      } catch { throw error.at("argument \(quoted(member.key))") }
    }
    return arguments
  }

  private mutating func argument(_ value: JSONValue) throws(StringsError) -> MessageArgument {
    do throws(PriceTagError) {
      switch value {
      case .number(let text): return .count(try Amount(decimal: text))
      case .string(let text): return .text(text)
      case .object(let object): return try argument(object)
      default:
        throw PriceTagError(
          .invalidOption,
          "the argument must be a number, a string or an object, not \(value.kind)",
          fix: #"write 3, "text", or an object such as {"storefront":"USA","amount":"4.99"}"#
        )
      }
    } catch { throw StringsError(.invalidArgument, error) }
  }

  private mutating func argument(_ object: JSONObject) throws(PriceTagError) -> MessageArgument {
    let fields = object.members.map(\.key)
    switch fields {
    case ["percent"]: return .percent(try Amount(decimal: Self.text(object, "percent", allowsNumber: true)))
    case ["period"]: return .period(try SubscriptionPeriod(Self.text(object, "period")))
    case ["languageName"]:
      let tag = try Self.text(object, "languageName")
      do throws(StringsError) { return .language(try UILanguage(tag)) } catch {
        throw PriceTagError(.unknownLocale, error.problem, fix: error.fix)
      }
    case ["storefrontName"]:
      return .storefront(try Storefront(Self.text(object, "storefrontName"), in: localeData))
    case ["date"]: return .date(try CalendarDate(Self.text(object, "date")))
    default: return .price(try price(object, fields))
    }
  }

  private mutating func price(
    _ object: JSONObject,
    _ fields: [String]
  ) throws(PriceTagError) -> FormattedPrice {
    let priceFields = ["storefront", "amount", "priceLocale", "currency", "at"]
    let otherFields = ["percent", "period", "languageName", "storefrontName", "date"]
    if let unknown = fields.first(where: { !priceFields.contains($0) }) {
      let others = otherFields.joined(separator: ", ")
      throw PriceTagError(
        .invalidOption,
        "unknown field \(quoted(unknown))",
        fix: didYouMean(
          closestMatch(to: unknown, among: priceFields + otherFields),
          otherwise: "write a price as {\"storefront\":\"USA\",\"amount\":\"4.99\"}, or only one of \(others)"
        )
      )
    }
    func optional(_ name: String) throws(PriceTagError) -> String? {
      object[name] == nil ? nil : try Self.text(object, name)
    }
    let origin = PriceOrigin(
      storefront: try optional("storefront"),
      priceLocale: try optional("priceLocale"),
      currency: try optional("currency"),
      at: try optional("at")
    )
    let amount = try Amount(decimal: Self.text(object, "amount", allowsNumber: true))
    let formatter =
      if let cached = formatters[origin] { cached } else { try origin.formatter(in: localeData, on: day) }
    if formatters.count < Self.maximumFormatterCount { formatters[origin] = formatter }
    return try formatter.format(amount)
  }

  private static func text(
    _ object: JSONObject,
    _ name: String,
    allowsNumber: Bool = false
  ) throws(PriceTagError) -> String {
    switch object[name] {
    case .string(let text)?: return text
    case .number(let text)? where allowsNumber: return text
    case let other:
      throw PriceTagError(
        .invalidOption,
        other.map {
          "the field \(quoted(name)) must be \(allowsNumber ? "a number or a string" : "a string"), not \($0.kind)"
        }
          ?? "the field \(quoted(name)) is missing",
        fix: other == nil ? "add it" : "write a string"
      )
    }
  }
}
