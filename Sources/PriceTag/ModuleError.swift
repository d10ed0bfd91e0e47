/// What every error of PriceTag's modules tells: what was wrong, where, and what to do.
///
/// Each module throws one type of these, with codes of its own. `code` is stable, for programs; `description` is one
/// line, for people.
public protocol ModuleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure, by their stable names.
  associatedtype Code: RawRepresentable<String>, Hashable, Sendable
  /// What the error knows.
  var facts: ErrorFacts<Code> { get }
  /// An error of what is known.
  init(facts: ErrorFacts<Code>)
}

extension ModuleError {
  /// The kind of failure.
  public var code: Code { facts.code }
  /// What was wrong, with the value.
  public var problem: String { facts.problem }
  /// What to do.
  public var fix: String { facts.fix }
  /// Where: a file, a line, an entry, a field. Empty where the caller knows better.
  public var place: String { facts.place }

  package init(_ code: Code, _ problem: String, fix: String, place: String = "") {
    self.init(facts: ErrorFacts(code, problem, fix, place))
  }

  /// What another module found wrong, as a failure of this one.
  package init(_ code: Code, _ error: some ModuleError) {
    self.init(code, error.problem, fix: error.fix, place: error.place)
  }

  /// The same failure, at a place that a caller knows.
  package func at(_ place: String) -> Self {
    Self(code, problem, fix: fix, place: self.place.isEmpty ? place : "\(place), \(self.place)")
  }

  /// One line: place, problem, fix.
  public var description: String { (place.isEmpty ? "" : place + ": ") + problem + ": " + fix }

  /// Whether both say the same.
  public static func == (first: Self, second: Self) -> Bool {
    first.code == second.code && first.description == second.description
  }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// What an error of one of the modules knows: one reference, so that a throwing call returns it in a register.
public final class ErrorFacts<Code: Sendable>: Sendable {
  let code: Code
  let problem: String
  let fix: String
  let place: String

  init(_ code: Code, _ problem: String, _ fix: String, _ place: String) {
    (self.code, self.problem, self.fix, self.place) = (code, problem, fix, place)
  }
}
