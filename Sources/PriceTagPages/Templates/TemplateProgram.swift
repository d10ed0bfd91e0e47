import PriceTag
import PriceTagText

/// A template that is compiled once and rendered for each page: Mustache with the meaning of swift-mustache, without the casts
/// and the reflection that take most of its time.
struct TemplateProgram: Sendable {
  /// A part of a template.
  fileprivate enum Token: Sendable {
    case text([UInt8])
    case value(Reference)
    case section(Reference, [Token])
    case invertedSection(Reference, [Token])
    case partial(String)
  }

  /// The name of a value with the transforms that apply to it, the innermost first.
  fileprivate struct Reference: Sendable {
    var names: [Name] = []
    var transforms: [String] = []
    /// Whether the name starts with a dot, so that enclosing sections are not searched.
    var isImmediate = false
  }

  /// A part of a dotted name.
  fileprivate struct Name: Sendable {
    /// The name of a value; `nil` for that of a message or a storefront.
    let value: TemplateName?
    let text: String

    init(_ text: String) { (value, self.text) = (TemplateName.byText[text], text) }
  }

  private let tokens: [String: [Token]]

  /// Compiles templates.
  ///
  /// - Parameter templates: The texts by name, without the ending of the files. `TemplateCheck` has checked them.
  init(_ templates: [String: String]) {
    tokens = templates.mapValues { text in
      var reader = TemplateReader(text)
      return reader.tokens()
    }
  }

  /// Returns a page in UTF-8; `nil` if there is no such template.
  func render(_ name: String, _ values: TemplateValues) -> [UInt8]? {
    guard let tokens = tokens[name] else { return nil }
    var rendering = Rendering(templates: self.tokens, stack: [.object(values)])
    rendering.output.reserveCapacity(1 << 14)
    rendering.render(tokens)
    return rendering.output
  }
}

/// A value of a template.
enum TemplateValue: TemplateConvertible {
  case none
  case text(String)
  case flag(Bool)
  case number(Int)
  case list([TemplateValues])
  case object(TemplateValues)
  case words(TemplateWords)
  case own(OwnMessages)

  var templateValue: TemplateValue { self }
}

/// A type whose values templates can use.
protocol TemplateConvertible {
  var templateValue: TemplateValue { get }
}

extension String: TemplateConvertible {
  var templateValue: TemplateValue { .text(self) }
}

extension Bool: TemplateConvertible {
  var templateValue: TemplateValue { .flag(self) }
}

extension Int: TemplateConvertible {
  var templateValue: TemplateValue { .number(self) }
}

extension [TemplateValues]: TemplateConvertible {
  var templateValue: TemplateValue { .list(self) }
}

extension TemplateValues: TemplateConvertible {
  var templateValue: TemplateValue { .object(self) }
}

extension TemplateWords: TemplateConvertible {
  var templateValue: TemplateValue { .words(self) }
}

extension OwnMessages: TemplateConvertible {
  var templateValue: TemplateValue { .own(self) }
}

// MARK: Rendering

private struct Rendering {
  /// The place of an element in its list.
  struct Place {
    let index: Int
    let isLast: Bool
  }

  let templates: [String: [TemplateProgram.Token]]
  /// The values of the enclosing sections, the innermost last.
  var stack: [TemplateValue]
  var place: Place?
  var output: [UInt8] = []
  let budget = WorkBudget.current
  /// The index in the stack of the values whose partial is being rendered to be kept.
  var keptIndex = 0
  /// Whether that partial has used values of enclosing sections.
  var usesEnclosing = false

  mutating func render(_ tokens: [TemplateProgram.Token]) {
    for token in tokens {
      switch token {
      case .text(let text): output += text
      case .value(let reference):
        switch value(of: reference) {
        case .text(let text): write(text)
        case .flag(let flag): write(flag ? "true" : "false")
        case .number(let number): write(String(number))
        case .none?, .list, .object, .words, .own, nil: break
        }
      case .section(let reference, let tokens): renderSection(value(of: reference), tokens)
      case .invertedSection(let reference, let tokens):
        switch value(of: reference) {
        case .none?, .flag(false), nil: render(tokens)
        case .list(let list) where list.isEmpty: render(tokens)
        default: break
        }
      case .partial(let name): renderPartial(name)
      }
    }
  }

  private mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { output.append(contentsOf: $0) }
  }

  private mutating func renderPartial(_ name: String) {
    let outer = place
    place = nil
    defer { place = outer }
    guard case .object(let values)? = stack.last, let kept = values.partials else {
      return render(templates[name] ?? [])
    }
    if let text = kept[name] {
      output += text
      try? budget?.add(byteCount: text.count)
      return
    }
    let start = output.count
    let enclosing = (keptIndex, usesEnclosing)
    (keptIndex, usesEnclosing) = (stack.count - 1, false)
    render(templates[name] ?? [])
    if !usesEnclosing { values.partials?[name] = Array(output[start...]) }
    keptIndex = enclosing.0
    usesEnclosing = usesEnclosing || enclosing.1
  }

  private mutating func renderSection(_ value: TemplateValue?, _ tokens: [TemplateProgram.Token]) {
    switch value {
    case .none?, .flag(false), nil: break
    case .flag(true): render(tokens)
    case .list(let list):
      for (index, element) in list.enumerated() {
        render(tokens, in: .object(element), at: Place(index: index, isLast: index == list.count - 1))
      }
    case let value?: render(tokens, in: value, at: nil)
    }
  }

  private mutating func render(_ tokens: [TemplateProgram.Token], in value: TemplateValue, at place: Place?) {
    let outer = self.place
    self.place = place
    stack.append(value)
    render(tokens)
    stack.removeLast()
    self.place = outer
  }

  // MARK: Values

  private mutating func value(of reference: TemplateProgram.Reference) -> TemplateValue? {
    var transforms = reference.transforms[...]
    var value: TemplateValue?
    if let name = reference.names.first {
      value = reference.isImmediate ? stack.last.flatMap { child(of: $0, name) } : inStack(name)
      for name in reference.names.dropFirst() { value = value.flatMap { child(of: $0, name) } }
    } else if let transform = transforms.first {
      value = place.flatMap { self.transform($0, transform) }
      transforms = transforms.dropFirst()
    } else {
      value = stack.last
    }
    for transform in transforms { value = value.flatMap { self.transform($0, transform) } }
    return value
  }

  private mutating func inStack(_ name: TemplateProgram.Name) -> TemplateValue? {
    var index = stack.count
    while index > 0 {
      index -= 1
      guard let child = child(of: stack[index], name) else { continue }
      // The words are the same on all pages of a language.
      if index < keptIndex, name.value != .words { usesEnclosing = true }
      return child
    }
    usesEnclosing = true
    return nil
  }

  /// Returns what a name means in a value; `nil` if nothing, or if the page has exceeded its budget, so that rendering ends soon.
  private func child(of value: TemplateValue, _ name: TemplateProgram.Name) -> TemplateValue? {
    switch value {
    case .object(let values):
      let child =
        name.value.flatMap { values.value(named: $0) } ?? (values.isTrue(name.text) ? .flag(true) : nil)
      guard let budget else { return child }
      let length = if case .text(let text)? = child { text.utf8.count } else { 0 }
      do throws(WorkBudget.Excess) { try budget.add(byteCount: length + Self.markupByteCount) } catch {
        return nil
      }
      return child
    case .words(let words): return words.word(name.text).map { .text($0) }
    case .own(let own): return own.message(name.text).map { .text($0) }
    case .none, .text, .flag, .number, .list: return nil
    }
  }

  /// The approximate number of bytes that a template writes around each value.
  private static let markupByteCount = 16

  /// Returns a property of the place of the current element.
  private func transform(_ place: Place, _ name: String) -> TemplateValue? {
    switch name {
    case "first": .flag(place.index == 0)
    case "last": .flag(place.isLast)
    case "index": .number(place.index)
    case "even": .flag(place.index.isMultiple(of: 2))
    case "odd": .flag(!place.index.isMultiple(of: 2))
    default: nil
    }
  }

  private func transform(_ value: TemplateValue, _ name: String) -> TemplateValue? {
    switch (value, name) {
    case (.list(let list), "first"): list.first.map { .object($0) }
    case (.list(let list), "last"): list.last.map { .object($0) }
    case (.list(let list), "count"): .number(list.count)
    case (.list(let list), "empty"): .flag(list.isEmpty)
    case (.text(let text), "empty"): .flag(text.isEmpty)
    case (.number(let number), "plusone"): .number(number &+ 1)
    case (.number(let number), "even"): .flag(number.isMultiple(of: 2))
    case (.number(let number), "odd"): .flag(!number.isMultiple(of: 2))
    default: nil
    }
  }
}

// MARK: Reading

/// Reads the parts of a template. A line with only one tag of a section, a comment or a partial is removed completely, as Mustache
/// prescribes.
private struct TemplateReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  private static let (newLine, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  mutating func tokens() -> [TemplateProgram.Token] { tokens(startsLine: true) }

  /// Reads up to the end of the section or of the template.
  private mutating func tokens(startsLine: Bool) -> [TemplateProgram.Token] {
    var tokens: [TemplateProgram.Token] = []
    var startsLine = startsLine
    var space = position..<position
    func add(_ range: Range<Int>) {
      if !range.isEmpty { tokens.append(.text(Array(bytes[range]))) }
    }
    while position < bytes.count {
      if startsLine { space = skipSpace() }
      let start = position
      while position < bytes.count, bytes[position] != Self.newLine, !isTag(at: position) { position += 1 }
      if position < bytes.count, bytes[position] == Self.newLine {
        position += 1
        add(space)
        add(start..<position)
        space = position..<position
        startsLine = true
        continue
      }
      if start < position {
        add(space)
        add(start..<position)
        space = position..<position
        startsLine = false
      }
      if position >= bytes.count { break }
      let (kind, name) = tag()
      var isAlone = false
      switch kind {
      case "#", "^", "/":
        isAlone = startsLine && skipLineEnd()
        if !isAlone {
          add(space)
          space = position..<position
        }
        if kind == "/" { return tokens }
        let section = self.tokens(startsLine: isAlone)
        tokens.append(
          kind == "#"
            ? .section(Self.reference(name), section) : .invertedSection(Self.reference(name), section)
        )
      case "!": isAlone = startsLine && skipLineEnd()
      case ">":
        add(space)
        space = position..<position
        isAlone = startsLine && skipLineEnd()
        tokens.append(.partial(name))
      default:
        add(space)
        space = position..<position
        tokens.append(.value(Self.reference(name)))
      }
      startsLine = isAlone
    }
    return tokens
  }

  private func isTag(at position: Int) -> Bool {
    bytes[position] == UInt8(ascii: "{") && position + 1 < bytes.count
      && bytes[position + 1] == UInt8(ascii: "{")
  }

  private mutating func skipSpace() -> Range<Int> {
    let start = position
    while position < bytes.count, [0x20, 0x09].contains(bytes[position]) { position += 1 }
    return start..<position
  }

  /// Skips the rest of a line if it is empty.
  private mutating func skipLineEnd() -> Bool {
    let start = position
    _ = skipSpace()
    if position + 1 < bytes.count, bytes[position] == Self.carriageReturn, bytes[position + 1] == Self.newLine
    {
      position += 1
    }
    if position < bytes.count, bytes[position] == Self.newLine {
      position += 1
      return true
    }
    if start >= bytes.count { return true }
    position = start
    return false
  }

  /// Reads a tag.
  private mutating func tag() -> (kind: Character, name: String) {
    position += 2
    let isTriple = position < bytes.count && bytes[position] == UInt8(ascii: "{")
    if isTriple { position += 1 }
    let start = position
    let end = Array((isTriple ? "}}}" : "}}").utf8)
    while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    var name = String(decoding: bytes[start..<position], as: UTF8.self)[...]
    position = min(bytes.count, position + end.count)
    name = name.drop { $0.isWhitespace }
    var kind: Character = " "
    if !isTriple, let first = name.first, "#^/!>&".contains(first) {
      kind = first == "&" ? " " : first
      name = name.dropFirst().drop { $0.isWhitespace }
    }
    while name.last?.isWhitespace == true { name = name.dropLast() }
    return (kind, String(name))
  }

  /// Returns the reference of a name such as `name`, `words.price`, `count(products)` and `index()`.
  private static func reference(_ name: String) -> TemplateProgram.Reference {
    var reference = TemplateProgram.Reference()
    var rest = name[...]
    while let open = rest.firstIndex(of: "("), rest.last == ")" {
      reference.transforms.insert(String(rest[..<open]), at: 0)
      rest = rest[rest.index(after: open)...].dropLast()
    }
    reference.isImmediate = rest.first == "." && rest != "."
    reference.names = rest.split(separator: ".").map { TemplateProgram.Name(String($0)) }
    return reference
  }
}
