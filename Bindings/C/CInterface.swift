// The functions of pricetag.h that read packs and write prices. The header documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public typealias CString = UnsafePointer<CChar>
/// The place of a result.
public typealias Output<Value> = UnsafeMutablePointer<Value>

@c @implementation
public func pricetag_pack_open(
  _ bytes: UnsafeRawPointer?,
  _ size: Int,
  _ pack: Output<OpaquePointer?>?
) -> Int32 {
  guard let bytes, let pack, size >= 0 else { return Status.invalidArgument }
  return status { () throws(PackDamage) in
    let checked = try PackCheck.pack(in: UnsafeRawBufferPointer(start: bytes, count: size))
    pack.pointee = OpaquePointer(checked.start)
  }
}

@c @implementation
public func pricetag_pack_version(
  _ pack: OpaquePointer?,
  _ name: CString?,
  _ version: Output<pricetag_text>?
) -> Int32 {
  guard let pack, let name, let version else { return Status.invalidArgument }
  guard let text = PackBytes(pack).version(bytes(of: name)) else { return Status.unknownVersion }
  version.pointee = pricetag_text(text)
  return Status.ok
}

@c @implementation
public func pricetag_pack_storefront(
  _ pack: OpaquePointer?,
  _ index: Int,
  _ storefront: Output<pricetag_text>?
) -> Int32 {
  guard let pack, let storefront else { return Status.invalidArgument }
  guard PackBytes(pack).has(index, in: .storefronts) else { return Status.of(PackProblem.unknownStorefront) }
  storefront.pointee = pricetag_text(PackBytes(pack).id(ofStorefront: index))
  return Status.ok
}

@c @implementation
public func pricetag_pack_currency(
  _ pack: OpaquePointer?,
  _ index: Int,
  _ currency: Output<pricetag_text>?
) -> Int32 {
  guard let pack, let currency else { return Status.invalidArgument }
  guard PackBytes(pack).has(index, in: .currencies) else { return Status.of(PackProblem.unknownCurrency) }
  currency.pointee = pricetag_text(PackBytes(pack).code(ofCurrency: index))
  return Status.ok
}

@c @implementation
public func pricetag_storefront(
  _ pack: OpaquePointer?,
  _ storefront: CString?,
  _ date: Int32,
  _ currency: Output<pricetag_text>?,
  _ locale: Output<pricetag_text>?
) -> Int32 {
  guard let pack, let storefront, let date = checked(date: date) else { return Status.invalidArgument }
  return status { () throws(PackProblem) in
    let pack = PackBytes(pack)
    let period = try pack.period(ofStorefront: bytes(of: storefront), on: date)
    currency?.pointee = pricetag_text(pack.code(ofCurrency: period.currency))
    locale?.pointee = pricetag_text(pack.text(ofLocale: period.locale))
  }
}

@c @implementation
public func pricetag_minor_unit_digits(
  _ pack: OpaquePointer?,
  _ currency: CString?,
  _ digits: Output<Int32>?
) -> Int32 {
  guard let pack, let currency, let digits else { return Status.invalidArgument }
  guard let found = PackBytes(pack).minorUnitDigits(ofCurrency: bytes(of: currency)) else {
    return Status.of(PackProblem.unknownCurrency)
  }
  digits.pointee = found == PackBytes.Currency.noMinorUnit ? -1 : Int32(truncatingIfNeeded: found)
  return Status.ok
}

// MARK: Formatters

@c @implementation
public func pricetag_formatter_for_storefront(
  _ pack: OpaquePointer?,
  _ storefront: CString?,
  _ date: Int32,
  _ style: UnsafePointer<pricetag_style>?,
  _ formatter: Output<OpaquePointer?>?
) -> Int32 {
  guard let pack, let storefront, let formatter, let date = checked(date: date) else {
    return Status.invalidArgument
  }
  return status { () throws(PackProblem) in
    let pack = PackBytes(pack)
    let style = try pack.style(style)
    let period = try pack.period(ofStorefront: bytes(of: storefront), on: date)
    formatter.pointee = OpaquePointer(try pack.formatter(of: period, style).start)
  }
}

@c @implementation
public func pricetag_formatter_for_storefront_in(
  _ pack: OpaquePointer?,
  _ storefront: CString?,
  _ currency: CString?,
  _ date: Int32,
  _ style: UnsafePointer<pricetag_style>?,
  _ formatter: Output<OpaquePointer?>?
) -> Int32 {
  guard let pack, let storefront, let currency, let formatter, let date = checked(date: date) else {
    return Status.invalidArgument
  }
  return status { () throws(PackProblem) in
    let pack = PackBytes(pack)
    let style = try pack.style(style)
    let (id, code) = (bytes(of: storefront), bytes(of: currency))
    let period = try pack.period(ofStorefront: id, currency: code, on: date)
    formatter.pointee = OpaquePointer(try pack.formatter(of: period, style).start)
  }
}

@c @implementation
public func pricetag_formatter_for_locale(
  _ pack: OpaquePointer?,
  _ locale: CString?,
  _ currency: CString?,
  _ style: UnsafePointer<pricetag_style>?,
  _ formatter: Output<OpaquePointer?>?
) -> Int32 {
  guard let pack, let locale, let currency, let formatter else { return Status.invalidArgument }
  return status { () throws(PackProblem) in
    let pack = PackBytes(pack)
    let (locale, currency) = (bytes(of: locale), bytes(of: currency))
    let found = try pack.formatter(locale: locale, currency: currency, style: pack.style(style))
    formatter.pointee = OpaquePointer(found.start)
  }
}

@c @implementation
public func pricetag_formatter_spoken(_ formatter: OpaquePointer?) -> OpaquePointer? {
  guard let formatter else { return nil }
  return PackFormatter(formatter).spoken.map { OpaquePointer($0.start) }
}

@c @implementation
public func pricetag_formatter_capacity(_ formatter: OpaquePointer?) -> Int {
  formatter.map { PackFormatter($0).capacity } ?? 0
}

@c @implementation
public func pricetag_formatter_digits(_ formatter: OpaquePointer?) -> Int32 {
  Int32(truncatingIfNeeded: formatter.map { PackFormatter($0).fractionDigits } ?? 0)
}

// MARK: Prices

@c @implementation
public func pricetag_parse(
  _ text: CString?,
  _ textLength: Int,
  _ units: Output<Int64>?,
  _ exponent: Output<Int32>?
) -> Int32 {
  guard textLength >= 0, text != nil || textLength == 0, let units, let exponent else {
    return Status.invalidArgument
  }
  let utf8 = utf8(text, textLength)
  guard let amount = Amount(decimalUTF8: utf8) else { return Status.of(Amount.problem(inDecimalUTF8: utf8)) }
  return store(amount, units, exponent)
}

@c @implementation
public func pricetag_format(
  _ formatter: OpaquePointer?,
  _ text: CString?,
  _ textLength: Int,
  _ rounding: Int32,
  _ buffer: Output<CChar>?,
  _ capacity: Int,
  _ length: Output<Int>?
) -> Int32 {
  // Nearly every price takes this path: its digits stay digits.
  if let text, let short = ShortText(UnsafeRawPointer(text), textLength), let formatter,
    let pattern = PackFormatter(formatter).patternWithoutRules(scale: short.scale, room: capacity),
    let buffer, let length, RoundingMode(rounding) != nil
  {
    let digits = ShortDigits(eight: short.digits, scale: short.scale)
    return write(digits, isNegative: false, pattern, buffer.bytes, length)
  }
  return formatText(formatter, text, textLength, rounding, buffer, capacity, length)
}

@inline(never)
private func formatText(
  _ formatter: OpaquePointer?,
  _ text: CString?,
  _ textLength: Int,
  _ rounding: Int32,
  _ buffer: Output<CChar>?,
  _ capacity: Int,
  _ length: Output<Int>?
) -> Int32 {
  guard let formatter, textLength >= 0, text != nil || textLength == 0, let length, capacity >= 0,
    buffer != nil || capacity == 0, let mode = RoundingMode(rounding)
  else { return Status.invalidArgument }
  let utf8 = utf8(text, textLength)
  guard let amount = Amount(decimalUTF8: utf8) else { return Status.of(Amount.problem(inDecimalUTF8: utf8)) }
  return write(amount, PackFormatter(formatter), mode, buffer, capacity, length)
}

@c @implementation
public func pricetag_format_units(
  _ formatter: OpaquePointer?,
  _ units: Int64,
  _ exponent: Int32,
  _ rounding: Int32,
  _ buffer: Output<CChar>?,
  _ capacity: Int,
  _ length: Output<Int>?
) -> Int32 {
  let scale = Int(truncatingIfNeeded: exponent)
  if units.magnitude < 100_000_000, scale >= 0, scale < 8, let formatter,
    let pattern = PackFormatter(formatter).patternWithoutRules(scale: scale, room: capacity),
    let buffer, let length, RoundingMode(rounding) != nil
  {
    let digits = ShortDigits(units.magnitude, scale: scale)
    return write(digits, isNegative: units < 0, pattern, buffer.bytes, length)
  }
  return formatUnits(formatter, units, exponent, rounding, buffer, capacity, length)
}

@inline(never)
private func formatUnits(
  _ formatter: OpaquePointer?,
  _ units: Int64,
  _ exponent: Int32,
  _ rounding: Int32,
  _ buffer: Output<CChar>?,
  _ capacity: Int,
  _ length: Output<Int>?
) -> Int32 {
  guard let formatter, let length, capacity >= 0, buffer != nil || capacity == 0,
    let mode = RoundingMode(rounding)
  else { return Status.invalidArgument }
  guard let amount = Amount(units, exponent) else { return Status.amountOutOfRange }
  return write(amount, PackFormatter(formatter), mode, buffer, capacity, length)
}

@c @implementation
public func pricetag_format_column(
  _ formatter: OpaquePointer?,
  _ units: UnsafePointer<Int64>?,
  _ count: Int,
  _ exponent: Int32,
  _ rounding: Int32,
  _ buffer: Output<CChar>?,
  _ capacity: Int,
  _ offsets: Output<Int32>?,
  _ formatted: Output<Int>?
) -> Int32 {
  guard let formatter, let offsets, let formatted, count >= 0, capacity >= 0, units != nil || count == 0,
    buffer != nil || capacity == 0, let mode = RoundingMode(rounding)
  else { return Status.invalidArgument }
  offsets[0] = 0
  formatted.pointee = 0
  guard let zero = Amount(0, exponent) else { return Status.amountOutOfRange }
  let packFormatter = PackFormatter(formatter)
  guard let units, count > 0 else { return Status.ok }
  guard let buffer else {
    var length = 0
    let amount = Amount(uncheckedCoefficient: units[0], scale: zero.scale)
    return write(amount, packFormatter, mode, nil, 0, &length)
  }
  // The offsets have 32 bits.
  let capacity = min(capacity, Int(Int32.max))
  var (index, end) = (0, 0)
  var status = Status.ok
  if let pattern = packFormatter.patternWithoutRules(scale: zero.scale, room: capacity) {
    let output = buffer.bytes
    let lastEnd = capacity &- pattern.capacity
    while index < count, end <= lastEnd {
      let amount = Amount(uncheckedCoefficient: units[index], scale: zero.scale)
      let length = pattern.write(amount, to: output + end)
      if length < 0 { break }
      end &+= length
      index &+= 1
      offsets[index] = Int32(truncatingIfNeeded: end)
    }
  }
  while index < count {
    let amount = Amount(uncheckedCoefficient: units[index], scale: zero.scale)
    var length = 0
    status = write(amount, packFormatter, mode, buffer + end, capacity &- end, &length)
    if status != Status.ok { break }
    end &+= length
    index &+= 1
    offsets[index] = Int32(truncatingIfNeeded: end)
  }
  formatted.pointee = index
  return status
}

@c @implementation
public func pricetag_parts(
  _ formatter: OpaquePointer?,
  _ units: Int64,
  _ exponent: Int32,
  _ rounding: Int32,
  _ parts: Output<pricetag_part>?,
  _ capacity: Int,
  _ count: Output<Int>?
) -> Int32 {
  guard let formatter, let count, capacity >= 0, parts != nil || capacity == 0,
    let mode = RoundingMode(rounding)
  else { return Status.invalidArgument }
  guard let amount = Amount(units, exponent) else { return Status.amountOutOfRange }
  do throws(AmountProblem) {
    let (displayed, pattern) = try PackFormatter(formatter).displayed(amount, mode)
    var (found, end) = (0, 0)
    let category = pattern.category(of: displayed)
    let hasAffixes = pattern.forEachPart(of: displayed, category: category) { kind, length in
      if found < capacity, let parts {
        parts[found] = pricetag_part(
          kind: UInt32(kind.rawValue),
          start: UInt32(truncatingIfNeeded: end),
          end: UInt32(truncatingIfNeeded: end &+ length)
        )
      }
      found &+= 1
      end &+= length
    }
    guard hasAffixes else { return Status.missingPlural }
    count.pointee = found
    return Status.ok
  } catch {
    return Status.of(error)
  }
}

@c @implementation
public func pricetag_direction(
  _ formatter: OpaquePointer?,
  _ units: Int64,
  _ exponent: Int32,
  _ rounding: Int32,
  _ direction: Output<Int32>?
) -> Int32 {
  guard let formatter, let direction, let mode = RoundingMode(rounding) else {
    return Status.invalidArgument
  }
  guard let amount = Amount(units, exponent) else { return Status.amountOutOfRange }
  return status { () throws(AmountProblem) in
    let (displayed, pattern) = try PackFormatter(formatter).displayed(amount, mode)
    let first = pattern.direction(of: displayed, category: pattern.category(of: displayed))
    direction.pointee = Int32(first.rawValue)
  }
}

@c @implementation
public func pricetag_read(
  _ formatter: OpaquePointer?,
  _ text: CString?,
  _ textLength: Int,
  _ mode: Int32,
  _ units: Output<Int64>?,
  _ exponent: Output<Int32>?,
  _ difference: Output<Int>?
) -> Int32 {
  guard let formatter, textLength >= 0, text != nil || textLength == 0, let units, let exponent,
    mode == Int32(PRICETAG_STRICT) || mode == Int32(PRICETAG_LENIENT)
  else { return Status.invalidArgument }
  let isLenient = mode == Int32(PRICETAG_LENIENT)
  // No byte of an empty text is read.
  let bytes = text.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(units)
  let found = PackFormatter(formatter).read(bytes, count: textLength, isLenient: isLenient)
  difference?.pointee = found.difference
  if let problem = found.problem { return Status.of(problem) }
  return store(found.amount, units, exponent)
}

// MARK: Helpers

/// Writes an amount of at most eight digits into a buffer that has room for any price, and its length into `length`.
@inline(__always)
private func write(
  _ digits: ShortDigits,
  isNegative: Bool,
  _ pattern: PatternBytes,
  _ output: UnsafeMutablePointer<UInt8>,
  _ length: UnsafeMutablePointer<Int>
) -> Int32 {
  let count = pattern.write(digits, isNegative: isNegative, to: output)
  if count < 0 { return Status.missingPlural }
  length.pointee = count
  return Status.ok
}

/// Writes an amount into a buffer, and its length into `length`.
@inline(never)
private func write(
  _ amount: Amount,
  _ formatter: PackFormatter,
  _ mode: RoundingMode,
  _ buffer: Output<CChar>?,
  _ capacity: Int,
  _ length: Output<Int>
) -> Int32 {
  do throws(AmountProblem) {
    let (displayed, pattern) = try formatter.displayed(amount, mode)
    let room = UnsafeMutableBufferPointer(start: buffer?.bytes, count: capacity)
    let count = pattern.write(displayed, within: room)
    if count < 0 { return Status.missingPlural }
    length.pointee = count
    return count <= capacity ? Status.ok : Status.bufferTooSmall
  } catch {
    return Status.of(error)
  }
}

/// Returns the status of a function: that of its error, or PRICETAG_OK.
@inline(__always)
func status<Problem: Error & RawRepresentable<UInt8>>(_ body: () throws(Problem) -> Void) -> Int32 {
  do throws(Problem) {
    try body()
    return Status.ok
  } catch {
    return Status.of(error)
  }
}

/// Stores an amount.
func store(_ amount: Amount, _ units: Output<Int64>, _ exponent: Output<Int32>) -> Int32 {
  units.pointee = amount.coefficient
  exponent.pointee = Int32(truncatingIfNeeded: amount.scale)
  return Status.ok
}

private func utf8(_ text: UnsafePointer<CChar>?, _ length: Int) -> UnsafeBufferPointer<UInt8> {
  let start = text.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
  return UnsafeBufferPointer(start: start, count: length)
}

/// Returns the bytes before the zero byte at the end of a text. Longer texts than any identifier are cut.
func bytes(of text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
  var length = 0
  while length < 256, text[length] != 0 { length &+= 1 }
  return UnsafeRawBufferPointer(start: text, count: length)
}

extension PackBytes {
  init(_ pointer: OpaquePointer) { self.init(start: UnsafeRawPointer(pointer)) }

  /// Returns whether a section has an element with an index.
  fileprivate func has(_ index: Int, in section: Section) -> Bool { index >= 0 && index < count(section) }

  /// Returns the index of a style; the default one for `nil`.
  fileprivate func style(_ style: UnsafePointer<pricetag_style>?) throws(PackProblem) -> Int {
    var standard = pricetag_style()
    let index = withUnsafeMutablePointer(to: &standard) { self.style(style ?? UnsafePointer($0)) }
    guard let index else { throw .missingStyle }
    return index
  }
}

extension pricetag_text {
  init(_ text: UnsafeRawBufferPointer) {
    self.init(bytes: text.baseAddress?.assumingMemoryBound(to: CChar.self), length: text.count)
  }
}

extension UnsafeMutablePointer<CChar> {
  @inline(__always)
  var bytes: UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: UInt8.self)
  }
}

extension PackFormatter {
  init(_ pointer: OpaquePointer) { self.init(start: UnsafeRawPointer(pointer)) }

  /// Returns the pattern if it writes amounts of a scale into a buffer as they are: there is only one pattern, nothing to
  /// round, no plural category to choose, and room for any price.
  @inline(__always)
  fileprivate func patternWithoutRules(scale: Int, room: Int) -> PatternBytes? {
    guard !isFamily else { return nil }
    let pattern = pattern
    guard room >= pattern.capacity, scale <= pattern.fractionDigits, pattern.step == 1, !pattern.hasPlurals
    else { return nil }
    return pattern
  }
}

extension Amount {
  init?(_ units: Int64, _ exponent: Int32) {
    guard exponent >= 0, exponent <= 18 else { return nil }
    self.init(uncheckedCoefficient: units, scale: Int(truncatingIfNeeded: exponent))
  }
}

extension RoundingMode {
  init?(_ code: Int32) {
    switch code {
    case 0: self = .exact
    case 1: self = .halfEven
    case 2: self = .halfUp
    case 3: self = .halfDown
    case 4: self = .up
    case 5: self = .down
    case 6: self = .ceiling
    case 7: self = .floor
    default: return nil
    }
  }
}

/// The status codes of pricetag.h. The problems of the kernel have them as raw values.
enum Status {
  static let ok = Int32(PRICETAG_OK)
  static let amountOutOfRange = Int32(PRICETAG_AMOUNT_OUT_OF_RANGE)
  static let bufferTooSmall = Int32(PRICETAG_BUFFER_TOO_SMALL)
  static let invalidArgument = Int32(PRICETAG_INVALID_ARGUMENT)
  static let missingPlural = Int32(PRICETAG_MISSING_PLURAL)
  static let unknownVersion = Int32(PRICETAG_UNKNOWN_VERSION)

  static func of(_ problem: some RawRepresentable<UInt8>) -> Int32 { Int32(problem.rawValue) }
}

/// Returns a date of the Gregorian calendar as the pack has it, such as 20260131, 0 for no date, and `nil` for a number
/// that is neither.
private func checked(date: Int32) -> UInt32? {
  guard date >= 0 else { return nil }
  let date = UInt32(bitPattern: date)
  guard date != 0 else { return date }
  let year = date / 10_000
  let month = date / 100 % 100
  let day = date % 100
  let isLeapYear = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  let dayCount: UInt32 =
    switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  return year >= 1 && year <= 9_999 && month >= 1 && month <= 12 && day >= 1 && day <= dayCount ? date : nil
}
