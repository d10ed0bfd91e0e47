import PriceTag
import PriceTagText

/// Reads the arguments of messages from JSON.
///
///     var reader = MessageArgumentsReader()
///     let arguments = try reader.arguments(#"{"count":3,"price":{"storefront":"USA","amount":"4.99"}}"#)
///
/// A number is a count and a string is a text. An object is what its fields say: a price as
/// `{"storefront":"USA","amount":"4.99"}` (with `priceLocale`, `currency` and `at` as rows of prices have them), a
/// percent as `{"percent":"16"}`, a period as `{"period":"P1M"}`, a language as `{"languageName":"ja"}`, a
/// storefront as `{"storefrontName":"JPN"}`.
public struct MessageArgumentsReader: Sendable {
  private let localeData: LocaleData
  private let date: CalendarDate?
  /// A formatter for each kind of price that was read so far.
  private var formatters: [PriceOrigin: PriceFormatter] = [:]

  /// No more formatters are kept.
  private static let mostFormatters = 2000

  /// A reader.
  ///
  /// - Parameters:
  ///   - localeData: Where storefronts and currencies are looked up.
  ///   - date: The day of prices that name none; `nil` for today in UTC.
  public init(localeData: LocaleData = .embedded, at date: CalendarDate? = nil) {
    self.localeData = localeData
    self.date = date
  }

  /// The arguments that a JSON object says.
  ///
  /// - Throws: `.invalidArgument`, naming the argument.
  public mutating func arguments(_ json: String) throws(StringsError) -> MessageArguments {
    var json = json
    let value = json.withUTF8 { bytes in
      Result { () throws(JSONError) in try JSONReader.value(of: bytes) }
    }
    switch value {
    case .success(let value): return try arguments(value)
    case .failure(let error):
      throw StringsError(
        .invalidArgument,
        "the arguments are no JSON: \(error.problem)",
        fix: #"give an object such as {"count":3}"#
      )
    }
  }

  /// The arguments that a JSON value says.
  package mutating func arguments(_ value: JSONValue) throws(StringsError) -> MessageArguments {
    guard case .object(let object) = value else {
      throw StringsError(
        .invalidArgument,
        "the arguments are \(value.kind)",
        fix: #"give an object such as {"count":3}"#
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
          "\(value.kind) is no argument",
          fix: #"give a number, a string, or an object such as {"storefront":"USA","amount":"4.99"}"#
        )
      }
    } catch { throw StringsError(.invalidArgument, error) }
  }

  private mutating func argument(_ object: JSONObject) throws(PriceTagError) -> MessageArgument {
    let names = object.members.map(\.key)
    switch names {
    case ["percent"]: return .percent(try Amount(decimal: Self.text(object, "percent", allowsNumber: true)))
    case ["period"]: return .period(try SubscriptionPeriod(Self.text(object, "period")))
    case ["languageName"]:
      let tag = try Self.text(object, "languageName")
      do throws(StringsError) { return .language(try UILanguage(tag)) } catch {
        throw PriceTagError(.unknownLocale, error.problem, fix: error.fix)
      }
    case ["storefrontName"]:
      return .storefront(try Storefront(Self.text(object, "storefrontName"), in: localeData))
    default: return .price(try price(object, names))
    }
  }

  private mutating func price(
    _ object: JSONObject,
    _ names: [String]
  ) throws(PriceTagError) -> FormattedPrice {
    let known = ["storefront", "amount", "priceLocale", "currency", "at"]
    let others = ["percent", "period", "languageName", "storefrontName"]
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw PriceTagError(
        .invalidOption,
        "there is no argument with the field \(quoted(unknown))",
        fix:
          "write a price as {\"storefront\":\"USA\",\"amount\":\"4.99\"}, or one of \(others.joined(separator: ", ")) alone"
          + didYouMean(unknown, among: known + others)
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
      if let made = formatters[origin] { made } else { try origin.formatter(in: localeData, on: date) }
    if formatters.count < Self.mostFormatters { formatters[origin] = formatter }
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
        other.map { "\($0.kind) stands in the field \(quoted(name))" }
          ?? "the field \(quoted(name)) is missing",
        fix: "give a string"
      )
    }
  }
}
