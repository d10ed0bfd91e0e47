import PriceTag
import PriceTagSystem
import PriceTagText

/// A template that is compiled once and rendered for each page: Mustache with the meaning of swift-mustache, without the casts
/// and the reflection that take most of its time.
struct TemplateProgram: Sendable {
  /// A part of a template.
  fileprivate enum Token: Sendable {
    case text([UInt8])
    case value(TemplateReference)
    case section(TemplateReference, [Token])
    case invertedSection(TemplateReference, [Token])
    case partial(String)
  }

  private let tokens: [String: [Token]]

  /// Compiles templates.
  ///
  /// - Parameter templates: The parts of the templates by name. `TemplateCheck` has checked them.
  init(_ templates: [String: [TemplateToken]]) {
    tokens = templates.mapValues { parts in
      var rest = parts[...]
      return Self.compile(&rest)
    }
  }

  /// Compiles the parts up to the end of the section or of the template.
  private static func compile(_ rest: inout ArraySlice<TemplateToken>) -> [Token] {
    var tokens: [Token] = []
    while let part = rest.popFirst() {
      switch part {
      case .text(let text): tokens.append(.text(text))
      case .tag(let tag):
        switch tag.kind {
        case "/": return tokens
        case "#": tokens.append(.section(tag.reference, compile(&rest)))
        case "^": tokens.append(.invertedSection(tag.reference, compile(&rest)))
        case ">": tokens.append(.partial(tag.name))
        default: tokens.append(.value(tag.reference))
        }
      }
    }
    return tokens
  }

  /// Returns a page in UTF-8.
  func render(_ name: String, _ values: TemplateValues) -> [UInt8] {
    var rendering = Rendering(templates: tokens, stack: [.object(values)])
    rendering.output.reserveCapacity(1 << 14)
    rendering.render(tokens[name] ?? [])
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

  private mutating func value(of reference: TemplateReference) -> TemplateValue? {
    if let name = reference.plainName { return inStack(name) }
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

  private mutating func inStack(_ name: TemplateReference.Name) -> TemplateValue? {
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
  private func child(of value: TemplateValue, _ name: TemplateReference.Name) -> TemplateValue? {
    switch value {
    case .object(let values):
      let child =
        if let name = name.value { values.value(named: name) } else {
          values.isTrue(name.text) ? TemplateValue.flag(true) : nil
        }
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
