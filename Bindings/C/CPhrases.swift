// The functions of pricetag.h that write phrases. The header documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@c @implementation
public func pricetag_phrases_open(
  _ pack: OpaquePointer?,
  _ phrases: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let pack, let phrases else { return Status.invalidArgument }
  do throws(PackDamage) {
    guard let checked = try PhraseCheck.phrases(of: PackBytes(pack)) else {
      return Status.of(PhraseBytes.Problem.noPhrases)
    }
    phrases.pointee = OpaquePointer(checked.start)
    return Status.ok
  } catch {
    return Status.of(error)
  }
}

@c @implementation
public func pricetag_phrases_language(
  _ phrases: OpaquePointer?,
  _ index: Int,
  _ language: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let phrases, let language else { return Status.invalidArgument }
  let bytes = PhraseBytes(start: UnsafeRawPointer(phrases))
  // Languages without messages of their own are at the end.
  guard index >= 0, UInt64(index) < UInt64(bytes.start.uint32(at: PhraseBytes.Head.languageCount)),
    bytes.language(index).uint32(at: PhraseBytes.Language.messageCount) > 0
  else { return Status.of(PhraseBytes.Problem.unknownLanguage) }
  language.pointee = OpaquePointer(bytes.language(index))
  return Status.ok
}

@c @implementation
public func pricetag_phrases_match(
  _ phrases: OpaquePointer?,
  _ tag: UnsafePointer<CChar>?,
  _ language: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let phrases, let tag, let language else { return Status.invalidArgument }
  do throws(PhraseBytes.Problem) {
    let found = try PhraseBytes(start: UnsafeRawPointer(phrases)).language(bytes(of: tag))
    language.pointee = OpaquePointer(found)
    return Status.ok
  } catch {
    return Status.of(error)
  }
}

@c @implementation
public func pricetag_language_tag(
  _ language: OpaquePointer?,
  _ tag: UnsafeMutablePointer<pricetag_text>?
) -> Int32 {
  guard let language, let tag else { return Status.invalidArgument }
  tag.pointee = pricetag_text(PhraseBytes.tag(of: UnsafeRawPointer(language)))
  return Status.ok
}

@c @implementation
public func pricetag_language_direction(
  _ language: OpaquePointer?,
  _ direction: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let language, let direction else { return Status.invalidArgument }
  let isRightToLeft = UnsafeRawPointer(language).uint16(at: PhraseBytes.Language.isRightToLeft) == 1
  direction.pointee = Int32(isRightToLeft ? PRICETAG_RIGHT_TO_LEFT : PRICETAG_LEFT_TO_RIGHT)
  return Status.ok
}

@c @implementation
public func pricetag_language_key(
  _ language: OpaquePointer?,
  _ index: Int,
  _ key: UnsafeMutablePointer<pricetag_text>?
) -> Int32 {
  guard let language = language.map(UnsafeRawPointer.init), let key else { return Status.invalidArgument }
  guard index >= 0, UInt64(index) < UInt64(language.uint32(at: PhraseBytes.Language.messageCount)) else {
    return Status.of(PhraseBytes.Problem.unknownPhrase)
  }
  let record = language.target(at: PhraseBytes.Language.keys) + index &* PhraseBytes.Key.size
  key.pointee = pricetag_text(record.text(at: PhraseBytes.Key.name, PhraseBytes.Key.length))
  return Status.ok
}

@c @implementation
public func pricetag_message_find(
  _ language: OpaquePointer?,
  _ key: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let language, let key, let message else { return Status.invalidArgument }
  do throws(PhraseBytes.Problem) {
    message.pointee = OpaquePointer(try PhraseBytes.message(bytes(of: key), in: UnsafeRawPointer(language)))
    return Status.ok
  } catch {
    return Status.of(error)
  }
}

@c @implementation
public func pricetag_message_language(
  _ message: OpaquePointer?,
  _ language: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let message, let language else { return Status.invalidArgument }
  language.pointee = OpaquePointer(UnsafeRawPointer(message).target(at: PhraseBytes.Message.language))
  return Status.ok
}

@c @implementation
public func pricetag_message_argument(
  _ message: OpaquePointer?,
  _ index: Int,
  _ name: UnsafeMutablePointer<pricetag_text>?,
  _ kind: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let message, let name, let kind else { return Status.invalidArgument }
  guard let argument = PhraseBytes.argument(index, of: UnsafeRawPointer(message)) else {
    return Status.of(PhraseBytes.Problem.extraArgument)
  }
  name.pointee = pricetag_text(argument.text(at: PhraseBytes.Argument.name, PhraseBytes.Argument.length))
  kind.pointee = Int32(truncatingIfNeeded: argument.uint16(at: PhraseBytes.Argument.kind))
  return Status.ok
}

@c @implementation
public func pricetag_phrase(
  _ message: OpaquePointer?,
  _ arguments: UnsafePointer<pricetag_argument>?,
  _ count: Int,
  _ isolation: Int32,
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: Int,
  _ length: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard let message, let length, count >= 0, arguments != nil || count == 0, capacity >= 0,
    buffer != nil || capacity == 0, isolation == 0 || isolation == 1
  else { return Status.invalidArgument }
  var writer = PhraseWriter(
    output: buffer.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self) },
    capacity: capacity,
    isolates: isolation == 0,
    message: UnsafeRawPointer(message),
    arguments: arguments
  )
  do throws(PhraseFailure) {
    try writer.writeMessage(count)
    length.pointee = writer.count
    return writer.count <= capacity ? Status.ok : Status.bufferTooSmall
  } catch {
    return error.status
  }
}

// MARK: Arithmetic

@c @implementation
public func pricetag_total(
  _ units: Int64,
  _ exponent: Int32,
  _ quantity: UInt64,
  _ totalUnits: UnsafeMutablePointer<Int64>?,
  _ totalExponent: UnsafeMutablePointer<Int32>?
) -> Int32 {
  store(totalUnits, totalExponent, units, exponent) { amount throws(AmountProblem) in
    try amount.total(quantity)
  }
}

@c @implementation
public func pricetag_per_period(
  _ formatter: OpaquePointer?,
  _ units: Int64,
  _ exponent: Int32,
  _ period: UnsafePointer<CChar>?,
  _ paid: UnsafePointer<CChar>?,
  _ rounding: Int32,
  _ resultUnits: UnsafeMutablePointer<Int64>?,
  _ resultExponent: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let formatter, let period = PeriodLength(period), let paid = PeriodLength(paid),
    let mode = RoundingMode(rounding)
  else { return Status.invalidArgument }
  let pattern = PackFormatter(formatter).lastPattern
  return store(resultUnits, resultExponent, units, exponent) { amount throws(AmountProblem) in
    try amount.per(period, of: paid, digits: pattern.fractionDigits, step: pattern.step, mode)
  }
}

@c @implementation
public func pricetag_saving(
  _ units: Int64,
  _ exponent: Int32,
  _ period: UnsafePointer<CChar>?,
  _ otherUnits: Int64,
  _ otherExponent: Int32,
  _ otherPeriod: UnsafePointer<CChar>?,
  _ percent: UnsafeMutablePointer<Int64>?
) -> Int32 {
  guard let period = PeriodLength(period), let otherPeriod = PeriodLength(otherPeriod), let percent else {
    return Status.invalidArgument
  }
  guard let amount = Amount(units, exponent), let other = Amount(otherUnits, otherExponent) else {
    return Status.amountOutOfRange
  }
  do throws(AmountProblem) {
    percent.pointee = try amount.saving(period, against: other, otherPeriod)
    return Status.ok
  } catch {
    return Status.of(error)
  }
}

/// Stores an amount that is computed from another one.
private func store(
  _ units: UnsafeMutablePointer<Int64>?,
  _ exponent: UnsafeMutablePointer<Int32>?,
  _ ownUnits: Int64,
  _ ownExponent: Int32,
  _ compute: (Amount) throws(AmountProblem) -> Amount
) -> Int32 {
  guard let units, let exponent else { return Status.invalidArgument }
  guard let amount = Amount(ownUnits, ownExponent) else { return Status.amountOutOfRange }
  do throws(AmountProblem) {
    let computed = try compute(amount)
    units.pointee = computed.coefficient
    exponent.pointee = Int32(truncatingIfNeeded: computed.scale)
    return Status.ok
  } catch {
    return Status.of(error)
  }
}

extension PeriodLength {
  fileprivate init?(_ text: UnsafePointer<CChar>?) {
    guard let text, let period = PeriodLength(bytes(of: text)) else { return nil }
    self = period
  }
}

extension PhraseBytes {
  fileprivate static func tag(of language: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    language.text(at: Language.tag, Language.tagLength)
  }
}

// MARK: Writing

/// The reason why a phrase cannot be written, as a status code.
private struct PhraseFailure: Error {
  let status: Int32

  init(_ problem: some RawRepresentable<UInt8>) { status = Status.of(problem) }
}

/// Writes a message with the arguments of pricetag.h, and other messages inside it.
private struct PhraseWriter: PhraseHost {
  private let output: UnsafeMutablePointer<UInt8>?
  private let capacity: Int
  private let isolates: Bool
  /// The number of bytes, also of those that do not fit.
  private(set) var count = 0
  /// The number of texts and values that may still be written, so that the time is limited too.
  private var left = PhraseBytes.maximumLength
  private var depth = 0

  /// The present message.
  private var message: UnsafeRawPointer
  private var arguments: UnsafePointer<pricetag_argument>?

  init(
    output: UnsafeMutablePointer<UInt8>?,
    capacity: Int,
    isolates: Bool,
    message: UnsafeRawPointer,
    arguments: UnsafePointer<pricetag_argument>?
  ) {
    self.output = output
    self.capacity = output == nil ? 0 : capacity
    self.isolates = isolates
    self.message = message
    self.arguments = arguments
  }

  private var language: UnsafeRawPointer { message.target(at: PhraseBytes.Message.language) }

  /// Writes the present message with a number of arguments.
  mutating func writeMessage(_ count: Int) throws(PhraseFailure) {
    guard depth < PhraseBytes.maximumDepth else { throw PhraseFailure(PhraseBytes.Problem.phraseTooLong) }
    depth &+= 1
    try advance(0)
    var needed = 0
    while let argument = PhraseBytes.argument(needed, of: message) {
      needed &+= 1
      guard needed <= count else { throw PhraseFailure(PhraseBytes.Problem.missingArgument) }
      try check(value(needed &- 1, count), argument)
    }
    guard needed == count else { throw PhraseFailure(PhraseBytes.Problem.extraArgument) }
    try PhraseCode.write(message.target(at: PhraseBytes.Message.code), number: nil, to: &self)
    depth &-= 1
  }

  // MARK: Arguments

  /// Returns the value of an argument of the message, among as many values as it has arguments.
  private func value(_ index: Int, _ count: Int) throws(PhraseFailure) -> pricetag_argument {
    guard let arguments, let argument = PhraseBytes.argument(index, of: message) else {
      throw PhraseFailure(PhraseBytes.Problem.missingArgument)
    }
    let name = argument.text(at: PhraseBytes.Argument.name, PhraseBytes.Argument.length)
    // Callers usually pass arguments in the order of the message, and JavaScript and Python pass the names of the pack.
    var place = index
    var tried = 0
    while tried < count {
      if let given = arguments[place].name,
        UnsafeRawPointer(given) == name.baseAddress || PhraseBytes.compare(bytes(of: given), name) == 0
      {
        return arguments[place]
      }
      place = place &+ 1 < count ? place &+ 1 : 0
      tried &+= 1
    }
    throw PhraseFailure(PhraseBytes.Problem.missingArgument)
  }

  private func value(_ index: Int) throws(PhraseFailure) -> pricetag_argument {
    try value(index, message.target(at: PhraseBytes.Message.key).uint16(at: PhraseBytes.Key.argumentCount))
  }

  private func check(_ value: pricetag_argument, _ argument: UnsafeRawPointer) throws(PhraseFailure) {
    let isNumber = value.price == nil && value.message == nil && value.keyword == nil
    let isValid =
      switch kind(argument) {
      case .price: (value.price != nil) != (value.message != nil) && value.keyword == nil
      case .phrase: value.message != nil && value.price == nil && value.keyword == nil
      case .count, .percent: isNumber
      case .keyword: value.keyword != nil && value.price == nil && value.message == nil
      case nil: false
      }
    guard isValid else { throw PhraseFailure(PhraseBytes.Problem.wrongArgument) }
    if value.message == nil, value.keyword == nil, Amount(value.units, value.exponent) == nil {
      throw PhraseFailure(AmountProblem.outOfRange)
    }
  }

  private func kind(_ argument: UnsafeRawPointer) -> PhraseBytes.ArgumentKind? {
    PhraseBytes.ArgumentKind(
      rawValue: UInt8(truncatingIfNeeded: argument.uint16(at: PhraseBytes.Argument.kind))
    )
  }

  private func number(_ index: Int) throws(PhraseFailure) -> Amount {
    let value = try value(index)
    return Amount(uncheckedCoefficient: value.units, scale: Int(truncatingIfNeeded: value.exponent))
  }

  // MARK: Nodes

  private var room: UnsafeMutableBufferPointer<UInt8> {
    guard let output, count < capacity else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    return UnsafeMutableBufferPointer(start: output + count, count: capacity &- count)
  }

  private mutating func advance(_ length: Int) throws(PhraseFailure) {
    guard length >= 0 else { throw PhraseFailure(PhraseBytes.Problem.missingPlural) }
    count &+= length
    left &-= 1
    guard count <= PhraseBytes.maximumLength, left > 0 else {
      throw PhraseFailure(PhraseBytes.Problem.phraseTooLong)
    }
  }

  mutating func write(_ text: UnsafeRawBufferPointer) throws(PhraseFailure) {
    if let output = room.baseAddress, let source = text.baseAddress, text.count <= room.count {
      UnsafeMutableRawPointer(output).copyMemory(from: source, byteCount: text.count)
    }
    try advance(text.count)
  }

  /// Writes U+2068 FIRST STRONG ISOLATE, or U+2069 POP DIRECTIONAL ISOLATE.
  private mutating func isolate(_ last: UInt8) throws(PhraseFailure) {
    guard isolates else { return }
    if room.count >= 3 {
      room[0] = 0xE2
      room[1] = 0x81
      room[2] = last
    }
    try advance(3)
  }

  mutating func write(argument index: Int) throws(PhraseFailure) {
    let value = try value(index)
    if let price = value.price {
      guard let mode = RoundingMode(value.rounding) else {
        throw PhraseFailure(AmountProblem.invalidRounding)
      }
      try isolate(0xA8)
      let length: Int
      do throws(AmountProblem) {
        let (displayed, pattern) = try PackFormatter(price).displayed(number(of: value), mode)
        length = pattern.write(displayed, within: room)
      } catch {
        throw PhraseFailure(error)
      }
      try advance(length)
      return try isolate(0xA9)
    }
    if let inner = value.message {
      let inner = UnsafeRawPointer(inner)
      let innerLanguage = inner.target(at: PhraseBytes.Message.language)
      let isForeign =
        PhraseBytes.compare(PhraseBytes.tag(of: innerLanguage), PhraseBytes.tag(of: language)) != 0
      if isForeign { try isolate(0xA8) }
      let outer = (message, arguments)
      (message, arguments) = (inner, value.arguments)
      try writeMessage(value.argument_count)
      (message, arguments) = outer
      if isForeign { try isolate(0xA9) }
      return
    }
    guard let argument = PhraseBytes.argument(index, of: message) else { return }
    if kind(argument) == .percent {
      try write(number(of: value).normalized, PhraseBytes.Language.percent)
    } else {
      try write(rounded(number(of: value), PhraseCode.maximumFractionDigits), PhraseBytes.Language.decimal)
    }
  }

  private func number(of value: pricetag_argument) -> Amount {
    Amount(uncheckedCoefficient: value.units, scale: Int(truncatingIfNeeded: value.exponent))
  }

  private func rounded(_ number: Amount, _ digits: Int) throws(PhraseFailure) -> Amount {
    do throws(AmountProblem) {
      return try number.rounded(toMultipleOf: 1, digits: digits, .halfEven).normalized
    } catch {
      throw PhraseFailure(error)
    }
  }

  private mutating func write(_ number: Amount, _ pattern: Int) throws(PhraseFailure) {
    try advance(PatternBytes(start: language.target(at: pattern)).write(number: number, within: room))
  }

  mutating func write(number index: Int, style: Int, _ node: UnsafeRawPointer) throws(PhraseFailure) {
    let digits = style == PhraseCode.plain ? PhraseCode.maximumFractionDigits : 0
    let isPercent = style == PhraseCode.percent
    try write(
      rounded(number(index), digits),
      isPercent ? PhraseBytes.Language.percent : PhraseBytes.Language.decimal
    )
  }

  mutating func write(hash number: Amount) throws(PhraseFailure) {
    try write(rounded(number, PhraseCode.maximumFractionDigits), PhraseBytes.Language.decimal)
  }

  mutating func count(_ argument: Int, _ node: UnsafeRawPointer) throws(PhraseFailure) -> Amount? {
    try advance(0)
    return try number(argument)
  }

  func subtract(_ offset: Amount, from count: Amount) throws(PhraseFailure) -> Amount {
    guard let difference = count.subtracting(offset) else { throw PhraseFailure(AmountProblem.outOfRange) }
    return difference
  }

  func category(of number: Amount, fractionDigits: Int, isOrdinal: Bool) throws(PhraseFailure) -> Int {
    let shown = try rounded(number, fractionDigits)
    let rules = language.target(
      at: isOrdinal ? PhraseBytes.Language.ordinals : PhraseBytes.Language.cardinals
    )
    return PluralBytes(start: rules).category(for: PluralOperands(shown, fractionDigits: shown.scale))
  }

  mutating func argument(
    _ argument: Int,
    is keyword: UnsafeRawBufferPointer,
    _ node: UnsafeRawPointer
  ) throws(PhraseFailure) -> Bool? {
    try advance(0)
    guard let text = try value(argument).keyword else { return nil }
    return PhraseBytes.compare(bytes(of: text), keyword) == 0
  }
}
