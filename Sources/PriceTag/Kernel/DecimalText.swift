extension Amount {
  /// The maximum length of an amount's text, in bytes.
  static let maximumTextLength = 64

  /// Creates an amount from decimal text in UTF-8; returns `nil` if the text is not an amount. Allocates no memory.
  @inline(__always)
  package init?(decimalUTF8 text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress, text.count <= Self.maximumTextLength else { return nil }
    if let short = ShortText(UnsafeRawPointer(start), text.count) {
      self = short.amount
    } else {
      self.init(decimalUTF8: start, end: start + text.count)
    }
  }

  private init?(decimalUTF8 start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    var at = start
    guard at < end else { return nil }
    let isNegative = at.pointee == UInt8(ascii: "-")
    if isNegative || at.pointee == UInt8(ascii: "+") { at += 1 }
    // The maximum last digit after 922337203685477580. The negative range is larger by one.
    let lastDigit: UInt8 = isNegative ? 8 : 7
    var magnitude: UInt64 = 0
    let integerStart = at
    while at < end {
      let digit = at.pointee &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      guard
        magnitude < 922_337_203_685_477_580 || (magnitude == 922_337_203_685_477_580 && digit <= lastDigit)
      else {
        return nil
      }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      at += 1
    }
    guard at > integerStart else { return nil }
    var scale = 0
    if at < end {
      guard at.pointee == UInt8(ascii: ".") else { return nil }
      at += 1
      guard at < end else { return nil }
      while at < end {
        let digit = at.pointee &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        if scale < Self.maximumScale,
          magnitude < 922_337_203_685_477_580 || (magnitude == 922_337_203_685_477_580 && digit <= lastDigit)
        {
          magnitude = magnitude &* 10 &+ UInt64(digit)
          scale &+= 1
        } else {
          // Only zeros may follow. They do not change the value.
          while at < end {
            guard at.pointee == UInt8(ascii: "0") else { return nil }
            at += 1
          }
          break
        }
        at += 1
      }
    }
    let value = Int64(bitPattern: magnitude)
    self.init(uncheckedCoefficient: isNegative ? 0 &- value : value, scale: scale)
  }

  /// Returns why a text is not an amount: it has the form of one, but too many digits, or it has another form.
  static func problem(inDecimalUTF8 text: UnsafeBufferPointer<UInt8>) -> AmountProblem {
    // Of a long text, only the characters at its start count.
    var isLong = false
    var count = text.count
    if count > maximumTextLength {
      isLong = true
      count = maximumTextLength &+ 1
    }
    guard let start = text.baseAddress, count > 0 else { return .malformed }
    var index = 0
    var digitCount = 0
    var hasPoint = false
    if isLong {
      while index < count {
        let byte = start[index]
        let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        guard byte &- UInt8(ascii: "0") <= 9 || byte == UInt8(ascii: ".") || isSign else { return .malformed }
        index &+= 1
      }
      return .outOfRange
    }
    if start[0] == UInt8(ascii: "-") || start[0] == UInt8(ascii: "+") { index = 1 }
    while index < count {
      if start[index] == UInt8(ascii: "."), !hasPoint, digitCount > 0 {
        hasPoint = true
        digitCount = 0
      } else {
        guard start[index] &- UInt8(ascii: "0") <= 9 else { return .malformed }
        digitCount &+= 1
      }
      index &+= 1
    }
    return digitCount > 0 ? .outOfRange : .malformed
  }

  /// Writes the amount as decimal text, such as `-1234.50`, and returns the number of bytes, at most 21.
  @inline(__always)
  package func writeDecimal(to bytes: UnsafeMutablePointer<UInt8>) -> Int {
    var digits = coefficient.magnitude
    var count = 0
    // Written backward, with at least one digit before the point.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { reversed in
      var length = 0
      repeat {
        if length == scale, scale > 0 {
          reversed[length] = UInt8(ascii: ".")
          length &+= 1
        }
        reversed[length] = UInt8(ascii: "0") | UInt8(truncatingIfNeeded: digits % 10)
        digits /= 10
        length &+= 1
      } while digits > 0 || length <= scale &+ (scale > 0 ? 1 : 0)
      if isNegative {
        reversed[length] = UInt8(ascii: "-")
        length &+= 1
      }
      count = length
      var index = 0
      while index < length {
        bytes[index] = reversed[length &- 1 &- index]
        index &+= 1
      }
    }
    return count
  }
}

/// The amount of a text of four to eight bytes, as digits.
struct ShortText {
  /// Eight digits with leading zeros, each a byte from 0 to 9. The first one is in the lowest byte.
  let digits: UInt64
  let scale: Int

  /// Reads all bytes at once; returns `nil` for another number of bytes, a sign, and what is not an amount.
  @inline(__always)
  init?(_ start: UnsafeRawPointer, _ count: Int) {
    guard count >= 4, count <= 8 else { return nil }
    let zeros: UInt64 = 0x3030_3030_3030_3030
    let highBits: UInt64 = 0x8080_8080_8080_8080
    // The last byte is the highest one, and zeros are before the first one. The two halves may overlap.
    let shift = 8 &* (8 &- UInt64(truncatingIfNeeded: count))
    var digits = UInt64(start.uint32(at: 0)) &<< shift | UInt64(start.uint32(at: count &- 4)) &<< 32
    digits |= zeros & ((1 &<< shift) &- 1)
    // The decimal point has a digit before and after it. The bytes before it move to its place.
    let difference = digits ^ 0x2E2E_2E2E_2E2E_2E2E
    let points = ~(((difference & ~highBits) &+ ~highBits) | difference) & highBits
    var scale = 0
    if points != 0 {
      let place = UInt64(truncatingIfNeeded: points.trailingZeroBitCount) & 0x38
      guard place > shift, place < 56 else { return nil }
      let before: UInt64 = (1 &<< place) &- 1
      digits = (digits & before) &<< 8 | (digits & ~(before &<< 8 | 0xFF)) | UInt64(UInt8(ascii: "0"))
      scale = 7 &- Int(truncatingIfNeeded: place &>> 3)
    }
    guard ((digits &+ 0x4646_4646_4646_4646) | (digits &- zeros)) & highBits == 0 else { return nil }
    self.digits = digits &- zeros
    self.scale = scale
  }

  @inline(__always)
  var amount: Amount {
    // Pairs of digits, then groups of four and eight.
    let twos = digits &* 10 &+ digits &>> 8
    let pairs: UInt64 = 0x0000_00FF_0000_00FF
    let sum = (twos & pairs) &* 0x000F_4240_0000_0064 &+ (twos &>> 16 & pairs) &* 0x0000_2710_0000_0001
    return Amount(uncheckedCoefficient: Int64(truncatingIfNeeded: sum &>> 32), scale: scale)
  }
}

/// The reason why an amount cannot be read, rounded or written. The raw values are status codes of the C library; they
/// never change.
enum AmountProblem: UInt8, Error {
  /// The text is not a decimal amount.
  case malformed = 1
  /// The amount has more digits than an amount holds.
  case outOfRange = 2
  /// The amount has more decimals than are displayed, and the rounding mode is `exact`.
  case needsRounding = 3
  /// The digits or the step to round to are out of range.
  case invalidRounding = 5
}
