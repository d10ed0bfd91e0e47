/// What was wrong, where, and what to do about it.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     do { _ = try Amount(decimal: "1,234.5") } catch { print(error) }
///     // "1,234.5" is not a decimal amount: write digits with an optional fraction, such as 1234.5
///
/// A value is quoted with its control and invisible characters escaped, and cut where it is long.
public struct PriceTagError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure, by their stable names.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// Text that is no decimal amount, such as `1e9`.
    case malformedAmount = "malformed-amount"
    /// An amount of more digits than an `Amount` holds, or a sum that leaves its range.
    case amountOutOfRange = "amount-out-of-range"
    /// An amount with more digits than are displayed, under `RoundingMode.exact`.
    case needsRounding = "needs-rounding"
    /// Text that is no ISO 4217 code, or a code that ISO does not know.
    case unknownCurrency = "unknown-currency"
    /// Two currencies where one was expected. Nothing converts.
    case currencyMismatch = "currency-mismatch"
    /// A price of one locale given to a formatter of another.
    case localeMismatch = "locale-mismatch"
    /// A currency whose minor unit ISO 4217 does not define.
    case noMinorUnit = "no-minor-unit"
    /// A provider of payments that no data is known of.
    case unknownProvider = "unknown-provider"
    /// Text that is no BCP 47 language tag.
    case malformedLocale = "malformed-locale"
    /// A locale that ICU has no data for.
    case unknownLocale = "unknown-locale"
    /// A locale extension that would change a price, where none was asked for.
    case unexpectedExtension = "unexpected-extension"
    /// A storefront that the registry does not have.
    case unknownStorefront = "unknown-storefront"
    /// A date that the calendar does not have.
    case malformedDate = "malformed-date"
    /// A period that is no ISO 8601 duration of whole days, weeks, months or years.
    case malformedPeriod = "malformed-period"
    /// An option outside its range.
    case invalidOption = "invalid-option"
    /// A locale data file that is missing, unreadable or wrong.
    case invalidLocaleData = "invalid-locale-data"
    /// A buffer that is too small for a price.
    case bufferTooSmall = "buffer-too-small"
    /// ICU failed where it should not have.
    case formattingFailed = "formatting-failed"
  }

  /// The kind of failure.
  public let code: Code
  /// What was wrong, with the value.
  public let problem: String
  /// What to do.
  public let fix: String
  /// Where: a file, an entry, a field. Empty where the caller knows better.
  public let place: String

  package init(_ code: Code, _ problem: String, fix: String, place: String = "") {
    self.code = code
    self.problem = problem
    self.fix = fix
    self.place = place
  }

  /// The same failure, at a place that a caller knows.
  package func at(_ place: String) -> PriceTagError {
    PriceTagError(code, problem, fix: fix, place: self.place.isEmpty ? place : "\(place), \(self.place)")
  }

  /// One line: place, problem, fix.
  public var description: String {
    (place.isEmpty ? "" : place + ": ") + problem + ": " + fix
  }
}

/// A value as an error quotes it: in quotation marks, invisible characters escaped, long text cut.
package func quoted(_ value: some StringProtocol) -> String {
  let limit = 48
  var text = ""
  var count = 0
  for scalar in value.unicodeScalars {
    if count == limit { return "\"\(text)…\"" }
    text += escaped(scalar)
    count += 1
  }
  return "\"\(text)\""
}

/// A scalar as it can be read: itself, or `\u{…}` where it cannot be seen or would move its neighbours.
package func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
    return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  case .spaceSeparator where scalar != " ":
    return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  default:
    return scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
  }
}

/// The candidate that is nearest to what somebody wrote, where one is near enough to be meant.
package func nearest(to value: String, among candidates: some Sequence<String>) -> String? {
  let wanted = Array(value.lowercased().utf8.prefix(32))
  var best: (distance: Int, candidate: String)?
  for candidate in candidates {
    let distance = editDistance(wanted, Array(candidate.lowercased().utf8))
    if distance < best?.distance ?? .max { best = (distance, candidate) }
  }
  guard let best, best.distance <= max(1, wanted.count * 2 / 3) else { return nil }
  return best.candidate
}

/// How many letters to insert, drop, change or swap (the restricted Damerau–Levenshtein distance).
private func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for row in first.indices {
    var current = [row + 1]
    for column in second.indices {
      var cost = last[column] + (first[row] == second[column] ? 0 : 1)
      cost = min(cost, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[second.count]
}
