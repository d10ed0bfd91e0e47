// The functions of pricetag.h that write phrases. The header documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@c @implementation
public func pricetag_phrases_open(_ pack: OpaquePointer?, _ phrases: Output<OpaquePointer?>?) -> Int32 {
  guard let pack, let phrases else { return Status.invalidArgument }
  guard PackBytes(pack).phrases.count > 0 else { return Status.of(PhraseBytes.Problem.noPhrases) }
  return status { () throws(PackDamage) in
    let checked = try PhraseCheck.phrases(of: PackBytes(pack))
    phrases.pointee = checked.map { OpaquePointer($0.start) }
  }
}

@c @implementation
public func pricetag_phrases_language(
  _ phrases: OpaquePointer?,
  _ index: Int,
  _ language: Output<OpaquePointer?>?
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
  _ tag: CString?,
  _ language: Output<OpaquePointer?>?
) -> Int32 {
  guard let phrases, let tag, let language else { return Status.invalidArgument }
  return status { () throws(PhraseBytes.Problem) in
    let found = try PhraseBytes(start: UnsafeRawPointer(phrases)).language(bytes(of: tag))
    language.pointee = OpaquePointer(found)
  }
}

@c @implementation
public func pricetag_language_tag(_ language: OpaquePointer?, _ tag: Output<pricetag_text>?) -> Int32 {
  guard let language, let tag else { return Status.invalidArgument }
  tag.pointee = pricetag_text(UnsafeRawPointer(language).recordName)
  return Status.ok
}

@c @implementation
public func pricetag_language_direction(_ language: OpaquePointer?, _ direction: Output<Int32>?) -> Int32 {
  guard let language, let direction else { return Status.invalidArgument }
  let isRightToLeft = UnsafeRawPointer(language).uint16(at: PhraseBytes.Language.isRightToLeft) == 1
  direction.pointee = Int32(isRightToLeft ? PRICETAG_RIGHT_TO_LEFT : PRICETAG_LEFT_TO_RIGHT)
  return Status.ok
}

@c @implementation
public func pricetag_language_key(
  _ language: OpaquePointer?,
  _ index: Int,
  _ key: Output<pricetag_text>?
) -> Int32 {
  guard let language = language.map(UnsafeRawPointer.init), let key else { return Status.invalidArgument }
  guard index >= 0, UInt64(index) < UInt64(language.uint32(at: PhraseBytes.Language.messageCount)) else {
    return Status.of(PhraseBytes.Problem.unknownPhrase)
  }
  let record = language.target(at: PhraseBytes.Language.keys) + index &* PhraseBytes.Key.size
  key.pointee = pricetag_text(record.recordName)
  return Status.ok
}

@c @implementation
public func pricetag_message_find(
  _ language: OpaquePointer?,
  _ key: CString?,
  _ message: Output<OpaquePointer?>?
) -> Int32 {
  guard let language, let key, let message else { return Status.invalidArgument }
  return status { () throws(PhraseBytes.Problem) in
    message.pointee = OpaquePointer(try PhraseBytes.message(bytes(of: key), in: UnsafeRawPointer(language)))
  }
}

@c @implementation
public func pricetag_message_language(
  _ message: OpaquePointer?,
  _ language: Output<OpaquePointer?>?
) -> Int32 {
  guard let message, let language else { return Status.invalidArgument }
  language.pointee = OpaquePointer(UnsafeRawPointer(message).target(at: PhraseBytes.Message.language))
  return Status.ok
}

@c @implementation
public func pricetag_message_argument(
  _ message: OpaquePointer?,
  _ index: Int,
  _ name: Output<pricetag_text>?,
  _ kind: Output<Int32>?
) -> Int32 {
  guard let message, let name, let kind else { return Status.invalidArgument }
  guard let argument = PhraseBytes.argument(index, of: UnsafeRawPointer(message)) else {
    return Status.of(PhraseBytes.Problem.extraArgument)
  }
  name.pointee = pricetag_text(argument.recordName)
  kind.pointee = Int32(truncatingIfNeeded: argument.uint16(at: PhraseBytes.Argument.kind))
  return Status.ok
}

@c @implementation
public func pricetag_phrase(
  _ message: OpaquePointer?,
  _ arguments: UnsafePointer<pricetag_argument>?,
  _ count: Int,
  _ isolation: Int32,
  _ buffer: Output<CChar>?,
  _ capacity: Int,
  _ length: Output<Int>?
) -> Int32 {
  guard let message, let length, count >= 0, arguments != nil || count == 0, capacity >= 0,
    buffer != nil || capacity == 0, isolation == 0 || isolation == 1
  else { return Status.invalidArgument }
  var writer = PhraseWriter(
    output: buffer?.bytes,
    capacity: capacity,
    isolates: isolation == 0,
    message: UnsafeRawPointer(message),
    arguments: arguments
  )
  do throws(PhraseWriter.Failure) { try writer.writeMessage(count) } catch { return error.status }
  length.pointee = writer.count
  return writer.count <= capacity ? Status.ok : Status.bufferTooSmall
}

// MARK: Arithmetic

@c @implementation
public func pricetag_total(
  _ units: Int64,
  _ exponent: Int32,
  _ quantity: UInt64,
  _ totalUnits: Output<Int64>?,
  _ totalExponent: Output<Int32>?
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
  _ period: CString?,
  _ paid: CString?,
  _ rounding: Int32,
  _ resultUnits: Output<Int64>?,
  _ resultExponent: Output<Int32>?
) -> Int32 {
  guard let formatter, let period = PeriodLength(period), let paid = PeriodLength(paid),
    let mode = RoundingMode(rounding)
  else { return Status.invalidArgument }
  let pattern = PackFormatter(formatter).lastPattern
  let (digits, step) = (pattern.fractionDigits, pattern.step)
  return store(resultUnits, resultExponent, units, exponent) { amount throws(AmountProblem) in
    try amount.scaled(by: period.length, over: paid.length, digits: digits, step: step, mode)
  }
}

@c @implementation
public func pricetag_saving(
  _ units: Int64,
  _ exponent: Int32,
  _ period: CString?,
  _ otherUnits: Int64,
  _ otherExponent: Int32,
  _ otherPeriod: CString?,
  _ percent: Output<Int64>?
) -> Int32 {
  guard let period = PeriodLength(period), let otherPeriod = PeriodLength(otherPeriod), let percent else {
    return Status.invalidArgument
  }
  guard let amount = Amount(units, exponent), let other = Amount(otherUnits, otherExponent) else {
    return Status.amountOutOfRange
  }
  return status { () throws(AmountProblem) in
    percent.pointee = try amount.saving(period.length, against: other, otherPeriod.length)
  }
}

/// Stores an amount that is computed from another one.
private func store(
  _ units: Output<Int64>?,
  _ exponent: Output<Int32>?,
  _ ownUnits: Int64,
  _ ownExponent: Int32,
  _ compute: (Amount) throws(AmountProblem) -> Amount
) -> Int32 {
  guard let units, let exponent else { return Status.invalidArgument }
  guard let amount = Amount(ownUnits, ownExponent) else { return Status.amountOutOfRange }
  return status { () throws(AmountProblem) in _ = store(try compute(amount), units, exponent) }
}

extension PeriodLength {
  fileprivate init?(_ text: UnsafePointer<CChar>?) {
    guard let text, let period = PeriodLength(bytes(of: text)) else { return nil }
    self = period
  }
}

// MARK: Writing

/// Writes a message with the arguments of pricetag.h, and other messages inside it.
private struct PhraseWriter: PhraseHost {
  /// The status of a phrase that cannot be written.
  struct Failure: Error {
    let status: Int32

    init(status: Int32) { self.status = status }
    init(_ problem: PhraseBytes.Problem) { status = Status.of(problem) }
  }

  let output: UnsafeMutablePointer<UInt8>?
  let capacity: Int
  let isolates: Bool
  var message: UnsafeRawPointer
  var arguments: UnsafePointer<pricetag_argument>?
  /// The number of bytes, also of those that do not fit.
  var count = 0
  /// The number of texts, arguments and names that may still be looked at, so that the time is limited too.
  var left = PhraseBytes.maximumLength
  var depth = 0

  private var language: UnsafeRawPointer { message.target(at: PhraseBytes.Message.language) }

  private var argumentCount: Int {
    message.target(at: PhraseBytes.Message.key).uint16(at: PhraseBytes.Key.argumentCount)
  }

  /// Writes the present message with a number of arguments.
  mutating func writeMessage(_ count: Int) throws(Failure) {
    depth &+= 1
    if depth > PhraseBytes.maximumMessageDepth { throw Failure(.phraseTooLong) }
    try advance(0)
    if argumentCount != count { throw Failure(argumentCount > count ? .missingArgument : .extraArgument) }
    var index = 0
    while let argument = PhraseBytes.argument(index, of: message) {
      try advance(0)
      try check(argument, index)
      index &+= 1
    }
    try PhraseCode.write(message.target(at: PhraseBytes.Message.code), number: nil, to: &self)
    depth &-= 1
  }

  // MARK: Arguments

  /// Returns the value of an argument of the message; `nil` if it is missing.
  @inline(never)
  private mutating func value(_ index: Int) throws(Failure) -> UnsafePointer<pricetag_argument>? {
    guard let arguments, let argument = PhraseBytes.argument(index, of: message) else { return nil }
    let name = argument.recordName
    // Values are usually in the order of the message. JavaScript and Python pass the names of the pack.
    var (place, tries) = (index, argumentCount)
    while tries > 0 {
      if let given = arguments[place].name,
        UnsafeRawPointer(given) == name.baseAddress || PhraseBytes.compare(bytes(of: given), name) == 0
      {
        return arguments + place
      }
      place = place &+ 1 < argumentCount ? place &+ 1 : 0
      tries &-= 1
      try advance(0)
    }
    return nil
  }

  /// Checks that the value of an argument has its kind.
  private mutating func check(_ argument: UnsafeRawPointer, _ index: Int) throws(Failure) {
    guard let value = try value(index)?.pointee else { throw Failure(.missingArgument) }
    // Bits for the fields that are not NULL.
    let fields =
      (value.price == nil ? 0 : 1) | (value.message == nil ? 0 : 2) | (value.keyword == nil ? 0 : 4)
    let isValid =
      switch PhraseBytes.kind(of: argument) {
      case .price: fields == 1 || fields == 2
      case .phrase: fields == 2
      case .count, .percent: fields == 0
      case .keyword: fields == 4
      case nil: false
      }
    if !isValid { throw Failure(.wrongArgument) }
    if fields <= 1, Amount(0, value.exponent) == nil { throw Failure(status: Status.amountOutOfRange) }
  }

  private func number(_ value: UnsafePointer<pricetag_argument>) -> Amount {
    Amount(uncheckedCoefficient: value.pointee.units, scale: Int(truncatingIfNeeded: value.pointee.exponent))
  }

  // MARK: Nodes

  private var room: UnsafeMutableBufferPointer<UInt8> {
    guard let output, count < capacity else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    return UnsafeMutableBufferPointer(start: output + count, count: capacity &- count)
  }

  /// Counts a text or a value with a number of bytes.
  @inline(never)
  private mutating func advance(_ length: Int) throws(Failure) {
    count &+= length
    left &-= 1
    if count > PhraseBytes.maximumLength || left <= 0 { throw Failure(.phraseTooLong) }
  }

  mutating func write(_ text: UnsafeRawBufferPointer) throws(Failure) {
    if let output = room.baseAddress, let source = text.baseAddress, text.count <= room.count {
      // Eight bytes at once, if the buffer has room for them. Bytes after the text are those of the pack.
      let wideEnd = min(text.count, room.count &- 7)
      var index = 0
      while index < wideEnd {
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
    try advance(text.count)
  }

  /// Writes U+2068 FIRST STRONG ISOLATE, or U+2069 POP DIRECTIONAL ISOLATE.
  private mutating func isolate(_ last: UInt8) {
    if let output = room.baseAddress, room.count >= 3 {
      (output[0], output[1], output[2]) = (0xE2, 0x81, last)
    }
    count &+= 3
  }

  mutating func write(argument index: Int) throws(Failure) {
    guard let value = try value(index) else { return }
    if let price = value.pointee.price {
      if isolates { isolate(0xA8) }
      var length = 0
      let place = room.baseAddress.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self) }
      let (units, exponent, rounding) = (value.pointee.units, value.pointee.exponent, value.pointee.rounding)
      let status = pricetag_format_units(price, units, exponent, rounding, place, room.count, &length)
      guard status == Status.ok || status == Status.bufferTooSmall else { throw Failure(status: status) }
      count &+= length
      if isolates { isolate(0xA9) }
      try advance(0)
    } else if let inner = value.pointee.message {
      let outer = (message, arguments, language)
      (message, arguments) = (UnsafeRawPointer(inner), value.pointee.arguments)
      let isIsolated =
        isolates && PhraseBytes.compare(language.recordName, outer.2.recordName) != 0
      if isIsolated { isolate(0xA8) }
      try writeMessage(value.pointee.argument_count)
      if isIsolated { isolate(0xA9) }
      (message, arguments, _) = outer
    } else {
      let argument = PhraseBytes.argument(index, of: message)
      let isPercent = argument.map(PhraseBytes.kind) == .percent
      let digits = isPercent ? Amount.maximumScale : PhraseCode.maximumFractionDigits
      try write(number(value), digits, isPercent: isPercent)
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
  private mutating func write(_ number: Amount, _ digits: Int, isPercent: Bool) throws(Failure) {
    let place = isPercent ? PhraseBytes.Language.percent : PhraseBytes.Language.decimal
    let pattern = PatternBytes(start: language.target(at: place))
    let length = pattern.write(number: rounded(number, digits), within: room)
    if length < 0 { throw Failure(.missingPlural) }
    try advance(length)
  }

  mutating func write(number index: Int, style: Int, _ node: UnsafeRawPointer) throws(Failure) {
    guard let value = try value(index) else { return }
    let digits = style == PhraseCode.plain ? PhraseCode.maximumFractionDigits : 0
    try write(number(value), digits, isPercent: style == PhraseCode.percent)
  }

  mutating func write(hash number: Amount) throws(Failure) {
    try write(number, PhraseCode.maximumFractionDigits, isPercent: false)
  }

  mutating func count(_ argument: Int, _ node: UnsafeRawPointer) throws(Failure) -> Amount? {
    try advance(0)
    guard let value = try value(argument) else { return nil }
    return number(value)
  }

  mutating func subtract(_ offset: Amount, from count: Amount) throws(Failure) -> Amount {
    guard let difference = count.subtracting(offset) else { throw Failure(status: Status.amountOutOfRange) }
    return difference
  }

  func category(of number: Amount, fractionDigits: Int, isOrdinal: Bool) -> Int {
    let shown = rounded(number, fractionDigits)
    let rules = language.target(
      at: isOrdinal ? PhraseBytes.Language.ordinals : PhraseBytes.Language.cardinals
    )
    return PluralBytes(start: rules).category(for: PluralOperands(shown, fractionDigits: shown.scale))
  }

  mutating func argument(
    _ argument: Int,
    is keyword: UnsafeRawBufferPointer,
    _ node: UnsafeRawPointer
  ) throws(Failure) -> Bool? {
    try advance(0)
    guard let text = try value(argument)?.pointee.keyword else { return nil }
    return PhraseBytes.compare(bytes(of: text), keyword) == 0
  }
}
