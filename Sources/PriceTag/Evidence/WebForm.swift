import PriceTagText

/// How the web pages of a store write prices in a currency, derived from `observations.json`.
///
/// For the forint of Hungary, the symbol `HUF`, its place and both separators are observed: `HUF8,990.00`.
///
/// What no text shows is inferred: ICU's form for the price locale where its decimal separator is the observed one, and
/// otherwise the separators that go with the observed one.
package struct WebForm: Sendable {
  /// What a property rests on.
  package enum Basis: String, Sendable {
    case observed, inferred
  }

  /// A property of the form, with what it rests on.
  package typealias Property = (name: String, value: String, basis: Basis)

  /// The changes to ICU's form.
  let override: CurrencyOverride
  /// Whether a fraction of zeros is hidden.
  let hidesZeroFraction: Bool
  /// The properties of the form, in the order of their names in JSON.
  package let properties: [Property]

  /// Derives the form of the pages of a storefront.
  ///
  /// - Parameters:
  ///   - storefront: The storefront.
  ///   - currency: The currency.
  ///   - language: The language of the pages, for stores whose form depends on it; `nil` for the only form.
  ///   - observations: The observations.
  /// - Throws: `.invalidOption` if no text of the pages shows a form, or if the form depends on the language;
  ///   `.invalidLocaleData` if two observations contradict each other.
  init(
    of storefront: Storefront,
    _ currency: Currency,
    language: String?,
    from observations: [PriceObservation]
  ) throws(PriceTagError) {
    let seen = observations.filter { $0.interface == .webPage && $0.currency == currency.code }
    let parts = seen.map { observation in
      (
        observation,
        observation.prices.compactMap {
          ObservedForm($0.text, of: $0.amount, isVerified: observation.isVerified)
        }
      )
    }.filter { !$0.1.isEmpty }
    guard !parts.isEmpty else {
      let example = seen.lazy.flatMap(\.prices).first?.text
      let problem =
        example.map {
          "the web pages of \(storefront) were only seen with abbreviations, such as \(quoted($0))"
        } ?? "the web pages of \(storefront) were never seen with prices in \(currency)"
      throw PriceTagError(.invalidOption, problem, fix: "use the form icu")
    }
    var properties: Properties
    do throws(Contradiction) { properties = try Properties(parts) } catch {
      let languages = Self.languages(of: parts.map(\.0))
      guard error.isAcrossLanguages, !languages.isEmpty else { throw error.error(storefront) }
      guard let language = languages.first(where: { Self.matches(language, $0) }) else {
        throw PriceTagError(
          .invalidOption,
          "the web form of \(storefront) depends on the language of the page"
            + (language.map { ", and \($0) was not seen" } ?? ""),
          fix: "use \(languages.map { "store-web:\($0)" }.joined(separator: " or "))"
        )
      }
      do throws(Contradiction) {
        properties = try Properties(parts.filter { $0.0.pageLanguage == language })
      } catch { throw error.error(storefront) }
    }
    properties.infer(locale: storefront.priceLocale, currency)
    (override, hidesZeroFraction) = (properties.override, properties.hidesZeroFraction?.value ?? false)
    self.properties = properties.table
  }

  /// Returns the languages of pages, without regions.
  static func languages(of observations: [PriceObservation]) -> [String] {
    Set(observations.compactMap(\.pageLanguage)).sorted()
  }

  /// Returns whether a language is that of a page: `en-GB` is `en`, and `zh` is `zh-Hant`.
  private static func matches(_ language: String?, _ page: String) -> Bool {
    guard let language else { return false }
    let subtags = language.split(separator: "-"), pageSubtags = page.split(separator: "-")
    return zip(subtags, pageSubtags).allSatisfy { $0 == $1 || $0.utf8.count == 2 && $0 == $0.uppercased() }
  }
}

extension PriceObservation {
  /// The language of the page without its region; `nil` if it is unknown.
  var pageLanguage: String? {
    language?.split(separator: "-").filter { $0.utf8.count > 2 || $0 == $0.lowercased() }.joined(
      separator: "-"
    )
  }
}

/// Two observations that cannot both be true.
private struct Contradiction: Error {
  let property: String
  let texts: [String]
  let places: [String]
  /// Whether the pages have different languages.
  let isAcrossLanguages: Bool

  func error(_ storefront: Storefront) -> PriceTagError {
    PriceTagError(
      .invalidLocaleData,
      "observations of \(storefront) contradict each other in \(property): \(quoted(texts[0])) in \(places[0]), \(quoted(texts[1])) in \(places[1])",
      fix: "correct one, or give them different interfaces, languages or periods",
      place: LocaleDataFile.observations.rawValue
    )
  }
}

extension WebForm {
  /// The properties that texts show.
  fileprivate struct Properties {
    /// A value, and the observation that shows it.
    struct Found<Value> {
      var value: Value
      let observation: PriceObservation
    }

    let symbol: Found<String>?
    let position: Found<PriceLayout.Position>?
    let space: Found<ObservedForm.Mark>?
    let decimal: Found<ObservedForm.Mark>?
    let digits: Found<Int>?
    let group: Found<ObservedForm.Mark>?
    let minimumGrouping: Found<Int>?
    let secondaryGroupSize: Found<Int>?
    let hidesZeroFraction: Found<Bool>?
    private var inferredGroup: String?
    private var inferredMinimumGrouping: Int?
    private var icu: (decimal: String, group: String) = ("", "")

    /// Collects what the texts of observations show. Of observations whose periods do not overlap, the later one decides.
    init(_ seen: [(observation: PriceObservation, forms: [ObservedForm])]) throws(Contradiction) {
      let latest = seen.sorted { $0.observation.dates.upperBound > $1.observation.dates.upperBound }
      func found<Value>(
        _ name: String,
        _ value: (ObservedForm) -> Value?,
        _ agree: (Value, Value) -> Bool,
        _ text: (Value) -> String
      ) throws(Contradiction) -> Found<Value>? {
        var found: Found<Value>?
        for (observation, forms) in latest {
          for form in forms {
            guard let value = value(form) else { continue }
            guard let first = found else {
              found = Found(value: value, observation: observation)
              continue
            }
            if agree(first.value, value) { continue }
            let isSameLanguage = first.observation.pageLanguage == observation.pageLanguage
            if isSameLanguage, !first.observation.dates.overlaps(observation.dates) { continue }
            throw Contradiction(
              property: name,
              texts: [text(first.value), text(value)],
              places: [first.observation.name, observation.name],
              isAcrossLanguages: !isSameLanguage
            )
          }
        }
        return found
      }
      func mark(_ name: String, _ value: (ObservedForm) -> ObservedForm.Mark?) throws(Contradiction)
        -> Found<ObservedForm.Mark>?
      {
        var mark = try found(name, value, { $0.agrees(with: $1) }, \.text)
        // A space of a known kind wins over an unknown one.
        if mark?.value == .unknownSpace,
          let known = latest.flatMap(\.forms).compactMap(value).first(where: {
            $0 != .unknownSpace && $0.agrees(with: .unknownSpace)
          })
        {
          mark?.value = known
        }
        return mark
      }
      symbol = try found("symbol", \.symbol, ==, \.self)
      position = try found("position", \.position, ==, \.rawValue)
      space = try mark("space", \.space)
      decimal = try mark("decimal", \.decimal)
      digits = try found("decimals", \.digits, ==, \.description)
      group = try mark("group", \.group)
      minimumGrouping = try found("minimumGrouping", \.minimumGrouping, ==, \.description)
      secondaryGroupSize = try found("secondaryGroupSize", \.secondaryGroupSize, ==, \.description)
      hidesZeroFraction = try found("wholeAmounts", \.hidesZeroFraction, ==, \.description)
    }

    /// Infers the separators that no text shows.
    mutating func infer(locale: PriceLocale, _ currency: Currency) {
      var options = ICUNumberOptions(
        locale: "\(locale.icuIdentifierWithoutKeywords)@numbers=latn",
        unit: .currency(currency.code),
        fractionDigits: 2
      )
      options.grouping = .always
      let sample = ICUNumberFormatter(options)?.format(Amount(uncheckedCoefficient: 123_456_789, scale: 2))
      guard let sample, let group = sample.fields.first(where: { $0.type == .group }),
        let decimal = sample.fields.first(where: { $0.type == .decimal })
      else {
        icu = (".", ",")
        return
      }
      func text(_ field: ICUText.Field) -> String {
        String(decoding: sample.utf8[field.range], as: UTF8.self)
      }
      icu = (text(decimal), text(group))
      guard let observed = self.decimal?.value.text, observed != icu.decimal else { return }
      if self.group == nil { inferredGroup = observed == "," ? "." : "," }
      if minimumGrouping == nil { inferredMinimumGrouping = 1 }
    }

    var override: CurrencyOverride {
      CurrencyOverride(
        symbol: symbol?.value,
        digits: digits?.value,
        numberingSystem: "latn",
        layout: PriceLayout(
          position: position?.value,
          space: space?.value.text,
          group: group?.value.text ?? inferredGroup,
          decimal: decimal?.value.text,
          minimumGrouping: minimumGrouping?.value ?? inferredMinimumGrouping,
          secondaryGroupSize: secondaryGroupSize?.value ?? 3
        )
      )
    }

    var table: [Property] {
      func basis(_ isObserved: Bool) -> Basis { isObserved ? .observed : .inferred }
      return [
        ("position", position?.value.rawValue ?? "", .observed),
        ("symbol", symbol?.value ?? "", .observed),
        ("space", space?.value.text ?? "", space?.value == .unknownSpace ? .inferred : .observed),
        ("decimal", decimal?.value.text ?? icu.decimal, basis(decimal != nil)),
        ("decimals", (digits?.value).map(String.init) ?? "as in CLDR", basis(digits != nil)),
        (
          "group", group?.value.text ?? inferredGroup ?? icu.group,
          basis(group != nil && group?.value != .unknownSpace)
        ),
        (
          "wholeAmounts", hidesZeroFraction?.value == true ? "without decimals" : "with decimals",
          basis(hidesZeroFraction != nil)
        ),
        (
          "minimumGrouping",
          (minimumGrouping?.value ?? inferredMinimumGrouping).map(String.init) ?? "as in CLDR",
          basis(minimumGrouping != nil)
        ),
        ("secondaryGroupSize", "\(secondaryGroupSize?.value ?? 3)", basis(secondaryGroupSize != nil)),
      ]
    }
  }
}
