import HTTPTypes
import PriceTag
import PriceTagText

/// The named values of a request: members of a JSON object in its body, or query parameters.
///
/// Problems with a member contain its JSON pointer.
struct RequestFields {
  private let values: [(key: String, value: JSONValue)]
  /// The JSON pointer of the object, such as `/style`; `nil` for query parameters.
  private let basePointer: String?
  /// The status of problems with a value: 422 for members, 400 for parameters.
  let status: HTTPResponse.Status

  /// What the values are called in problems.
  private var noun: String { basePointer == nil ? "parameter" : "field" }

  /// Creates fields from the members of an object.
  ///
  /// - Throws: A problem with an unknown member.
  init(_ object: JSONObject, at pointer: String = "", known: [String]) throws(Problem) {
    (values, basePointer, status) = (
      object.members.map { ($0.key, $0.value) }, pointer, .unprocessableContent
    )
    try check(known)
  }

  /// Creates fields from query parameters.
  ///
  /// - Throws: A problem with an unknown or repeated parameter.
  init(query: [(String, String)], known: [String]) throws(Problem) {
    (values, basePointer, status) = (query.map { ($0, .string($1)) }, nil, .badRequest)
    try check(known)
    var seen: Set<String> = []
    for (key, _) in query where !seen.insert(key).inserted {
      throw Problem(
        status,
        "duplicate-parameter",
        "the parameter \(quoted(key)) appears twice",
        fix: "remove one"
      )
    }
  }

  private func check(_ known: [String]) throws(Problem) {
    guard let unknown = values.first(where: { !known.contains($0.key) })?.key else { return }
    throw Problem(
      status,
      "unknown-\(noun)",
      "unknown \(noun) \(quoted(unknown))",
      fix: known.isEmpty ? "remove it" : didYouMean(unknown, orOneOf: known),
      pointer: pointer(to: unknown)
    )
  }

  /// Returns the JSON pointer of a member; `nil` for a parameter.
  func pointer(to name: String) -> String? { basePointer.map { "\($0)/\(pointerToken(name))" } }

  /// The value of a name; `nil` if it is missing or null.
  subscript(name: String) -> JSONValue? {
    switch values.first(where: { $0.key == name })?.value {
    case nil, .null?: nil
    case let value?: value
    }
  }

  func wrongType(_ name: String, _ value: JSONValue, _ expected: String) -> Problem {
    let actual = if basePointer == nil, case .string(let text) = value { quoted(text) } else { value.kind }
    return Problem(
      status,
      "wrong-type",
      "the \(noun) \(quoted(name)) must be \(expected), not \(actual)",
      fix: "use \(expected)",
      pointer: pointer(to: name)
    )
  }

  func text(_ name: String) throws(Problem) -> String? {
    switch self[name] {
    case nil: return nil
    case .string(let text)?: return text
    case let other?: throw wrongType(name, other, "a string")
    }
  }

  func required(_ name: String) throws(Problem) -> String {
    guard let text = try text(name) else {
      throw .missing(noun, name, status, pointer: pointer(to: name))
    }
    return text
  }

  /// Returns a Boolean; the text of a parameter is `true` or `false`.
  func flag(_ name: String, default defaultValue: Bool) throws(Problem) -> Bool {
    switch self[name] {
    case nil: return defaultValue
    case .bool(let flag)?: return flag
    case .string("true")? where basePointer == nil: return true
    case .string("false")? where basePointer == nil: return false
    case let other?: throw wrongType(name, other, "true or false")
    }
  }

  /// Returns a list of texts; the text of a parameter has commas between them.
  func strings(_ name: String, maximumCount: Int) throws(Problem) -> [String]? {
    guard let value = self[name] else { return nil }
    if basePointer == nil, case .string(let text) = value {
      return text.split(separator: ",").map(String.init)
    }
    guard case .array(let array) = value else { throw wrongType(name, value, "an array of strings") }
    guard array.count <= maximumCount else {
      throw Problem(
        .contentTooLarge,
        "too-many-items",
        "the \(noun) \(quoted(name)) has more than \(maximumCount) items",
        fix: "split the request",
        pointer: pointer(to: name)
      )
    }
    var strings: [String] = []
    for (index, item) in array.enumerated() {
      guard case .string(let text) = item else {
        throw Problem(
          status,
          "wrong-type",
          "the items of \(quoted(name)) must be strings, not \(item.kind)",
          fix: "use strings",
          pointer: pointer(to: name).map { "\($0)/\(index)" }
        )
      }
      strings.append(text)
    }
    return strings
  }

  /// Returns what `parse` returns for a text; `nil` if the text is missing.
  func parsed<Value, Failure: ModuleError>(
    _ name: String,
    _ parse: (String) throws(Failure) -> Value
  ) throws(Problem) -> Value? {
    guard let text = try text(name) else { return nil }
    do throws(Failure) { return try parse(text) } catch {
      throw Problem(error, status, pointer: pointer(to: name))
    }
  }

  func day(_ name: String) throws(Problem) -> StoreDay? {
    try parsed(name) { (text) throws(PriceTagError) in try StoreDay(text) }
  }

  /// Returns the case of an enumeration whose raw value a field has.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String,
    default defaultValue: Choice
  ) throws(Problem) -> Choice {
    try optionalChoice(name) ?? defaultValue
  }

  /// Returns the case of an enumeration whose raw value a field has; `nil` without the field.
  func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Problem) -> Choice? {
    guard let text = try text(name) else { return nil }
    return try choice(text, name, pointer(to: name))
  }

  /// Returns the cases of an enumeration whose raw values the items of a list are, each at most once.
  ///
  /// - Parameter noun: What an item is, for problems.
  func choices<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
    _ name: String,
    _ noun: String,
    maximumCount: Int
  ) throws(Problem) -> [Choice] {
    var choices: [Choice] = []
    for (index, text) in (try strings(name, maximumCount: maximumCount) ?? []).enumerated() {
      let pointer = pointer(to: name).map { "\($0)/\(index)" }
      let choice: Choice = try choice(text, noun, pointer)
      guard !choices.contains(choice) else {
        throw invalidOption("\(quoted(text)) appears twice", fix: "remove one", pointer)
      }
      choices.append(choice)
    }
    return choices
  }

  /// Returns the case whose raw value is `text`. `name` and `pointer` are for the problem.
  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String,
    _ name: String,
    _ pointer: String?
  ) throws(Problem) -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    let all = Choice.allCases.map(\.rawValue)
    throw invalidOption("unknown \(name) \(quoted(text))", fix: didYouMean(text, orOneOf: all), pointer)
  }

  private func invalidOption(_ detail: String, fix: String, _ pointer: String?) -> Problem {
    Problem(status, "invalid-option", detail, fix: fix, pointer: pointer)
  }
}

// MARK: Style

extension RequestFields {
  /// The names of the style options, which are also those of the command's flags.
  static let styleNames = [
    "width", "zeros", "sign", "digits", "rounding", "grouping", "numbering", "notation", "qualifier",
    "writtenAs",
  ]

  /// Returns the style that these fields describe.
  private func style() throws(Problem) -> PriceStyle {
    var style = PriceStyle()
    style.width = try choice("width", default: style.width)
    style.zeros = try choice("zeros", default: style.zeros)
    style.sign = try choice("sign", default: style.sign)
    style.rounding = try choice("rounding", default: style.rounding)
    switch self["digits"] {
    case nil: break
    case .number(let text)?, .string(let text)?:
      do throws(PriceTagError) { style.digits = try PriceStyle.Digits(text) } catch {
        throw Problem(error, status, pointer: pointer(to: "digits"))
      }
    case let other?:
      let expected = "standard, cash, minor-units, a number from 0 to 18 or a range such as 0-2"
      throw wrongType("digits", other, expected)
    }
    style.grouping = try choice("grouping", default: style.grouping)
    style.notation = try choice("notation", default: style.notation)
    style.qualifier = try choice("qualifier", default: style.qualifier)
    style.numberingSystem = try parsed("numbering") { (name) throws(PriceTagError) in
      try PriceStyle.numberingSystem(name)
    }
    style.writtenAs = try writtenAs()
    return style
  }

  /// Returns the authority for the form of prices.
  func writtenAs() throws(Problem) -> PriceStyle.WrittenAs {
    try parsed("writtenAs") { (form) throws(PriceTagError) in try PriceStyle.WrittenAs(form) } ?? .icu
  }

  /// Returns the style that a member describes, which is an object. Parameters describe it directly.
  func style(at name: String) throws(Problem) -> PriceStyle {
    if basePointer == nil { return try style() }
    switch self[name] {
    case nil: return PriceStyle()
    case .object(let object)?:
      return try RequestFields(object, at: pointer(to: name) ?? "", known: Self.styleNames).style()
    case let other?: throw wrongType(name, other, "an object")
    }
  }
}
