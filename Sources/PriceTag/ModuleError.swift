/// What every error of PriceTag's modules tells: what was wrong, where, and what to do.
///
/// Each module throws one type of these, with codes of its own:
///
///     do { _ = try Storefront("XX") } catch let error as any ModuleError { print(error.problem, error.fix) }
public protocol ModuleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure, by their stable names.
  associatedtype Code: RawRepresentable<String>, Hashable, Sendable
  /// The kind of failure.
  var code: Code { get }
  /// What was wrong, with the value quoted.
  var problem: String { get }
  /// Where: a file, a line, an entry, a field. Empty if the caller knows better.
  var place: String { get }
  /// What to do, as an imperative.
  var fix: String { get }
}

/// An error with a code, which is stable, for programs, and a description of one line, for people.
///
///     do { _ = try Amount(decimal: "1e3") } catch {
///       error.code          // PriceTagErrorCode.malformedAmount
///       error.description   // "1e3" is not a decimal amount: write ASCII digits with an optional sign …
///     }
///
/// Two errors are equal if they have the same code and description.
public struct CodedError<Code: RawRepresentable<String> & Hashable & Sendable>: ModuleError {
  private final class Facts: Sendable {
    let code: Code
    let problem: String
    let place: String
    let fix: String

    init(_ code: Code, _ problem: String, _ place: String, _ fix: String) {
      (self.code, self.problem, self.place, self.fix) = (code, problem, place, fix)
    }
  }

  // One reference, so that a throwing call returns it in a register.
  private let facts: Facts

  package init(_ code: Code, _ problem: String, fix: String, place: String = "") {
    facts = Facts(code, problem, place, fix)
  }

  /// What another module found wrong, as a failure of this one.
  package init(_ code: Code, _ error: some ModuleError) {
    self.init(code, error.problem, fix: error.fix, place: error.place)
  }

  /// The kind of failure.
  public var code: Code { facts.code }
  /// What was wrong, with the value quoted.
  public var problem: String { facts.problem }
  /// Where: a file, a line, an entry, a field. Empty if the caller knows better.
  public var place: String { facts.place }
  /// What to do, as an imperative.
  public var fix: String { facts.fix }

  /// One line: place, problem, fix.
  public var description: String { (place.isEmpty ? "" : place + ": ") + problem + ": " + fix }

  /// Returns whether two errors have the same code and description.
  public static func == (first: Self, second: Self) -> Bool {
    first.code == second.code && first.description == second.description
  }

  /// Hashes the description.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }

  /// The same failure, at a place that a caller knows.
  package func at(_ place: String) -> Self {
    Self(code, problem, fix: fix, place: self.place.isEmpty ? place : "\(place), \(self.place)")
  }
}
