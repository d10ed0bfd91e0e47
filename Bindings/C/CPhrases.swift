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
  writer.writeMessage(count)
  guard writer.status == Status.ok else { return writer.status }
  length.pointee = writer.count
  return writer.count <= capacity ? Status.ok : Status.bufferTooSmall
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

/// Writes a message with the arguments of pricetag.h, and other messages inside it.
///
/// After a failure, nothing more is written, and the status is that of the failure.
private struct PhraseWriter: PhraseHost {
  // No function throws. With `Never`, the compiler would write instructions that stop the process.
  typealias Failure = AmountProblem

  private let output: UnsafeMutablePointer<UInt8>?
  private let capacity: Int
  private let isolates: Bool
  private(set) var status = Status.ok
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

  @inline(never)
  private mutating func fail(_ code: UInt8) { if status == Status.ok { status = Int32(code) } }

  private mutating func fail(_ problem: PhraseBytes.Problem) { fail(problem.rawValue) }

  /// Writes the present message with a number of arguments.
  mutating func writeMessage(_ count: Int) {
    depth &+= 1
    advance(0)
    if depth > PhraseBytes.maximumDepth { fail(.phraseTooLong) }
    if argumentCount != count { fail(argumentCount > count ? .missingArgument : .extraArgument) }
    var index = 0
    while status == Status.ok, let argument = PhraseBytes.argument(index, of: message) {
      check(argument, index)
      index &+= 1
    }
    if status != Status.ok { return }
    do throws(AmountProblem) {
      try PhraseCode.write(message.target(at: PhraseBytes.Message.code), number: nil, to: &self)
    } catch {
      fail(error.rawValue)
    }
    depth &-= 1
  }

  // MARK: Arguments

  private var argumentCount: Int {
    message.target(at: PhraseBytes.Message.key).uint16(at: PhraseBytes.Key.argumentCount)
  }

  /// Returns the value of an argument of the message, which has as many values as arguments; `nil` if it is missing.
  @inline(never)
  private func value(_ index: Int) -> UnsafePointer<pricetag_argument>? {
    guard let arguments, let argument = PhraseBytes.argument(index, of: message) else { return nil }
    let name = argument.text(at: PhraseBytes.Argument.name, PhraseBytes.Argument.length)
    let count = argumentCount
    // Callers usually pass arguments in the order of the message, and JavaScript and Python pass the names of the pack.
    var place = index
    var tried = 0
    while tried < count {
      if let given = arguments[place].name,
        UnsafeRawPointer(given) == name.baseAddress || PhraseBytes.compare(bytes(of: given), name) == 0
      {
        return arguments + place
      }
      place = place &+ 1 < count ? place &+ 1 : 0
      tried &+= 1
    }
    return nil
  }

  /// Checks that the value of an argument has its kind.
  private mutating func check(_ argument: UnsafeRawPointer, _ index: Int) {
    guard let value = value(index) else { return fail(.missingArgument) }
    // Bits for the fields that are not NULL.
    let fields =
      (value.pointee.price == nil ? 0 : 1) | (value.pointee.message == nil ? 0 : 2)
      | (value.pointee.keyword == nil ? 0 : 4)
    let isValid: Bool
    switch PhraseBytes.kind(of: argument) {
    case .price: isValid = fields == 1 || fields == 2
    case .phrase: isValid = fields == 2
    case .count, .percent: isValid = fields == 0
    case .keyword: isValid = fields == 4
    case nil: isValid = false
    }
    if !isValid { return fail(.wrongArgument) }
    if fields <= 1, Amount(0, value.pointee.exponent) == nil { fail(AmountProblem.outOfRange.rawValue) }
  }

  private func number(_ value: UnsafePointer<pricetag_argument>) -> Amount {
    Amount(uncheckedCoefficient: value.pointee.units, scale: Int(truncatingIfNeeded: value.pointee.exponent))
  }

  // MARK: Nodes

  private var room: UnsafeMutableBufferPointer<UInt8> {
    guard let output, count < capacity else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    return UnsafeMutableBufferPointer(start: output + count, count: capacity &- count)
  }

  @inline(never)
  private mutating func advance(_ length: Int) {
    if length < 0 { fail(.missingPlural) }
    count &+= length
    left &-= 1
    if count > PhraseBytes.maximumLength || left <= 0 { fail(.phraseTooLong) }
  }

  @inline(never)
  mutating func write(_ text: UnsafeRawBufferPointer) {
    if status != Status.ok { return }
    if let output = room.baseAddress, let source = text.baseAddress, text.count <= room.count {
      var index = 0
      // Eight bytes at once, of which the last ones are overwritten. Bytes after the text are those of the pack.
      while index < text.count, index &+ 8 <= room.count {
        UnsafeMutableRawPointer(output + index).storeBytes(
          of: source.uint64(at: index).littleEndian,
          as: UInt64.self
        )
        index &+= 8
      }
      while index < text.count {
        output[index] = UInt8(truncatingIfNeeded: source.uint8(at: index))
        index &+= 1
      }
    }
    advance(text.count)
  }

  /// Writes U+2068 FIRST STRONG ISOLATE, or U+2069 POP DIRECTIONAL ISOLATE.
  @inline(never)
  private mutating func isolate(_ last: UInt8) {
    // The bytes that are read after the text are those of the number.
    var bytes = UInt64(last) << 16 | 0x81E2
    bytes = bytes.littleEndian
    withUnsafeBytes(of: &bytes) { write(UnsafeRawBufferPointer(start: $0.baseAddress, count: 3)) }
  }

  mutating func write(argument index: Int) {
    guard status == Status.ok, let value = value(index) else { return }
    if let price = value.pointee.price {
      if isolates { isolate(0xA8) }
      var length = 0
      let place = room.baseAddress.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self) }
      let (units, exponent, rounding) = (value.pointee.units, value.pointee.exponent, value.pointee.rounding)
      let written = pricetag_format_units(price, units, exponent, rounding, place, room.count, &length)
      if written != Status.ok, written != Status.bufferTooSmall { fail(UInt8(truncatingIfNeeded: written)) }
      advance(length)
      if isolates { isolate(0xA9) }
    } else if let inner = value.pointee.message {
      let outer = (message, arguments)
      (message, arguments) = (UnsafeRawPointer(inner), value.pointee.arguments)
      let innerTag = PhraseBytes.tag(of: language)
      let outerTag = PhraseBytes.tag(of: outer.0.target(at: PhraseBytes.Message.language))
      let isIsolated = isolates && PhraseBytes.compare(innerTag, outerTag) != 0
      if isIsolated { isolate(0xA8) }
      writeMessage(value.pointee.argument_count)
      if isIsolated { isolate(0xA9) }
      (message, arguments) = outer
    } else {
      let argument = PhraseBytes.argument(index, of: message)
      let isPercent = argument.map(PhraseBytes.kind) == .percent
      write(
        number(value),
        isPercent ? Amount.maximumScale : PhraseCode.maximumFractionDigits,
        isPercent: isPercent
      )
    }
  }

  private func rounded(_ number: Amount, _ digits: Int) -> Amount {
    do throws(AmountProblem) {
      return try number.rounded(toMultipleOf: 1, digits: digits, .halfEven).normalized
    } catch {
      // The result of rounding is not larger.
      return number
    }
  }

  @inline(never)
  private mutating func write(_ number: Amount, _ digits: Int, isPercent: Bool) {
    if status != Status.ok { return }
    let place = isPercent ? PhraseBytes.Language.percent : PhraseBytes.Language.decimal
    advance(
      PatternBytes(start: language.target(at: place)).write(number: rounded(number, digits), within: room)
    )
  }

  mutating func write(number index: Int, style: Int, _ node: UnsafeRawPointer) {
    guard let value = value(index) else { return }
    let digits = style == PhraseCode.plain ? PhraseCode.maximumFractionDigits : 0
    write(number(value), digits, isPercent: style == PhraseCode.percent)
  }

  mutating func write(hash number: Amount) {
    write(number, PhraseCode.maximumFractionDigits, isPercent: false)
  }

  mutating func count(_ argument: Int, _ node: UnsafeRawPointer) -> Amount? {
    advance(0)
    return value(argument).map(number)
  }

  mutating func subtract(_ offset: Amount, from count: Amount) -> Amount {
    if let difference = count.subtracting(offset) { return difference }
    fail(AmountProblem.outOfRange.rawValue)
    return count
  }

  func category(of number: Amount, fractionDigits: Int, isOrdinal: Bool) -> Int {
    let shown = rounded(number, fractionDigits)
    let rules = language.target(
      at: isOrdinal ? PhraseBytes.Language.ordinals : PhraseBytes.Language.cardinals
    )
    return PluralBytes(start: rules).category(for: PluralOperands(shown, fractionDigits: shown.scale))
  }

  mutating func argument(_ argument: Int, is keyword: UnsafeRawBufferPointer, _ node: UnsafeRawPointer)
    -> Bool?
  {
    advance(0)
    guard let text = value(argument)?.pointee.keyword else { return nil }
    return PhraseBytes.compare(bytes(of: text), keyword) == 0
  }
}
