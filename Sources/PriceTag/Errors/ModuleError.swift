/// The common protocol of all errors in PriceTag's modules: what was wrong, where, and how to fix it.
///
/// Each module has one error type with its own codes. This protocol handles all of them:
///
///     do { _ = try Storefront("XX") } catch let error as any ModuleError { print(error.problem, error.fix) }
///     // unknown storefront "XX" use a code such as "USA" (pricetag storefronts lists all codes)
public protocol ModuleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable codes of the errors.
  associatedtype Code: RawRepresentable<String>, Hashable, Sendable
  /// The code of the error.
  var code: Code { get }
  /// What was wrong, with the value quoted.
  var problem: String { get }
  /// Where it was: a file, line, entry or field; empty if only the caller knows it.
  var place: String { get }
  /// How to fix it, as an imperative.
  var fix: String { get }
}

/// An error with a stable code for programs and a description in one line for people.
///
///     do { _ = try Amount(decimal: "1e3") } catch {
///       error.code          // PriceTagErrorCode.malformedAmount
///       error.description   // "1e3" is not a decimal amount; write …
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

  // A single reference, so that a throwing call can return the error in a register.
  private let facts: Facts

  package init(_ code: Code, _ problem: String, fix: String, place: String = "") {
    facts = Facts(code, problem, place, fix)
  }

  /// Creates an error of this module from another module's error.
  package init(_ code: Code, _ error: some ModuleError) {
    self.init(code, error.problem, fix: error.fix, place: error.place)
  }

  /// The code of the error.
  public var code: Code { facts.code }
  /// What was wrong, with the value quoted.
  public var problem: String { facts.problem }
  /// Where it was: a file, line, entry or field; empty if only the caller knows it.
  public var place: String { facts.place }
  /// How to fix it, as an imperative.
  public var fix: String { facts.fix }

  /// One line: `place: problem; fix`.
  public var description: String { (place.isEmpty ? "" : place + ": ") + problem + "; " + fix }

  /// Returns whether two errors have the same code and description.
  public static func == (first: Self, second: Self) -> Bool {
    first.code == second.code && first.description == second.description
  }

  /// Hashes the description.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }

  /// Returns the same error at a place, which is put before the error's own place.
  package func at(_ place: String) -> Self {
    Self(code, problem, fix: fix, place: self.place.isEmpty ? place : "\(place), \(self.place)")
  }
}
