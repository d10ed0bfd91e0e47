import HTTPTypes
import PriceTag
import PriceTagText

/// What a request says by names: members of its body, or parameters of its address. One that is wrong is told with its
/// place.
struct RequestFields {
  private let values: [(key: String, value: JSONValue)]
  /// Where they stand: `/style`, or `nil` for parameters of the address.
  private let pointer: String?
  /// The status of what is wrong with one.
  let status: HTTPResponse.Status

  /// The members of a body's object.
  ///
  /// - Throws: A problem with a member whose name is not known.
  init(_ object: JSONObject, at pointer: String = "", known: [String]) throws(Problem) {
    (values, self.pointer, status) = (
      object.members.map { ($0.key, $0.value) }, pointer, .unprocessableContent
    )
    try check(known, "field")
  }

  /// The parameters of an address.
  ///
  /// - Throws: A problem with a parameter whose name is not known, or that stands twice.
  init(query: [(String, String)], known: [String]) throws(Problem) {
    (values, pointer, status) = (query.map { ($0, .string($1)) }, nil, .badRequest)
    try check(known, "parameter")
    var seen: Set<String> = []
    for (key, _) in query where !seen.insert(key).inserted {
      throw Problem(
        status,
        "duplicate-parameter",
        "\(quoted(key)) stands twice in the address",
        fix: "give it once"
      )
    }
  }

  private func check(_ known: [String], _ noun: String) throws(Problem) {
    guard let unknown = values.first(where: { !known.contains($0.key) })?.key else { return }
    throw Problem(
      status,
      "unknown-\(noun)",
      "there is no \(noun) \(quoted(unknown))",
      fix: known.isEmpty
        ? "leave it out" : "use one of \(known.joined(separator: ", "))\(didYouMean(unknown, among: known))",
      pointer: place(unknown)
    )
  }

  /// The JSON pointer of a field; `nil` for a parameter.
  func place(_ name: String) -> String? { pointer.map { "\($0)/\(pointerToken(name))" } }

  /// A value; `nil` where there is none, or it is null.
  subscript(name: String) -> JSONValue? {
    switch values.first(where: { $0.key == name })?.value {
    case nil, .null?: nil
    case let value?: value
    }
  }

  func wrongType(_ name: String, _ value: JSONValue, _ wanted: String) -> Problem {
    Problem(
      status,
      "wrong-type",
      "\(quoted(name)) is \(value.kind)",
      fix: "give \(wanted)",
      pointer: place(name)
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
      throw Problem(
        status,
        "missing-field",
        "\(quoted(name)) is missing",
        fix: "give it as a string",
        pointer: place(name)
      )
    }
    return text
  }

  /// A yes or no; of an address, `true` or `false`.
  func flag(_ name: String, default usual: Bool) throws(Problem) -> Bool {
    switch self[name] {
    case nil: return usual
    case .bool(let flag)?: return flag
    case .string("true")? where pointer == nil: return true
    case .string("false")? where pointer == nil: return false
    case let other?: throw wrongType(name, other, "true or false")
    }
  }

  func strings(_ name: String, most: Int) throws(Problem) -> [String]? {
    guard let value = self[name] else { return nil }
    guard case .array(let array) = value else { throw wrongType(name, value, "an array of strings") }
    guard array.count <= most else {
      throw Problem(
        .contentTooLarge,
        "too-many-items",
        "\(quoted(name)) has \(array.count) items, and at most \(most) are taken",
        fix: "ask in several requests",
        pointer: place(name)
      )
    }
    var strings: [String] = []
    for (index, item) in array.enumerated() {
      guard case .string(let text) = item else {
        var problem = wrongType(name, item, "strings")
        problem.pointer = place(name).map { "\($0)/\(index)" }
        throw problem
      }
      strings.append(text)
    }
    return strings
  }

  func object(_ name: String) throws(Problem) -> JSONObject? {
    switch self[name] {
    case nil: return nil
    case .object(let object)?: return object
    case let other?: throw wrongType(name, other, "an object")
    }
  }

  /// What a module makes of a text.
  func parsed<Value, Failure: ModuleError>(
    _ name: String,
    _ make: (String) throws(Failure) -> Value
  ) throws(Problem) -> Value? {
    guard let text = try text(name) else { return nil }
    do throws(Failure) { return try make(text) } catch { throw Problem(error, status, pointer: place(name)) }
  }

  func date(_ name: String) throws(Problem) -> CalendarDate? {
    try parsed(name) { (text) throws(PriceTagError) in try CalendarDate(text) }
  }

  /// One of the values of a choice.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String,
    default usual: Choice
  ) throws(Problem) -> Choice where Choice.RawValue == String {
    guard let text = try text(name) else { return usual }
    return try choice(text, of: Choice.self, name, place(name))
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: String,
    of: Choice.Type,
    _ name: String,
    _ pointer: String?
  ) throws(Problem) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    let all = Choice.allCases.map(\.rawValue)
    throw Problem(
      status,
      "invalid-option",
      "\(quoted(text)) is no \(name)",
      fix: "use one of \(all.joined(separator: ", "))\(didYouMean(text, among: all))",
      pointer: pointer
    )
  }
}

// MARK: Style

extension RequestFields {
  /// The names of a style's options: those of the command's flags.
  static let styleNames = ["width", "zeros", "sign", "digits", "rounding"]

  /// A style by its options.
  func style() throws(Problem) -> PriceStyle {
    var style = PriceStyle()
    style.width = try choice("width", default: style.width)
    style.zeros = try choice("zeros", default: style.zeros)
    style.sign = try choice("sign", default: style.sign)
    style.rounding = try choice("rounding", default: style.rounding)
    switch self["digits"] {
    case nil: break
    case .number(let text)?, .string(let text)?:
      do throws(PriceTagError) { style.digits = try PriceStyle.Digits(text) } catch {
        throw Problem(error, status, pointer: place("digits"))
      }
    case let other?: throw wrongType("digits", other, "standard, cash or a number from 0 to 18")
    }
    return style
  }

  /// The style of a body's member.
  func style(at name: String) throws(Problem) -> PriceStyle {
    guard let object = try object(name) else { return PriceStyle() }
    return try RequestFields(object, at: place(name) ?? "", known: Self.styleNames).style()
  }
}
