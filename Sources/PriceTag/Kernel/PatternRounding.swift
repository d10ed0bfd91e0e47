extension PatternBytes {
  /// Returns the amount that the pattern displays: rounded if the mode allows it, otherwise the same amount.
  @inline(__always)
  func displayed(_ amount: Amount, _ mode: RoundingMode) throws(AmountProblem) -> Amount {
    if amount.scale <= fractionDigits, step == 1 { return amount }
    return try amount.rounded(toMultipleOf: step, digits: fractionDigits, mode)
  }

  /// Writes an amount that has no more digits than are displayed into a buffer of any size, and nothing after its end.
  ///
  /// - Returns: The number of bytes of the price; nothing is written if it is larger than the buffer. It is -1 if the
  ///   pattern has no affixes for the amount's plural category.
  @inline(__always)
  func write(_ displayed: Amount, within buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let category = category(of: displayed)
    if let output = buffer.baseAddress, buffer.count >= capacity {
      return write(displayed, category: category, to: output)
    }
    return writeAndCopy(within: buffer) { write(displayed, category: category, to: $0) }
  }

  /// Writes a number with its own decimals, as `write(_:within:)` does.
  func write(number: Amount, within buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    writeAndCopy(within: buffer) { writeLong(number, 0, fractionDigits: number.scale, to: $0) }
  }

  @inline(never)
  private func writeAndCopy(
    within buffer: UnsafeMutableBufferPointer<UInt8>,
    _ write: (UnsafeMutablePointer<UInt8>) -> Int
  ) -> Int {
    // A constant size keeps the memory on the stack.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.maximumCapacity) { scratch in
      guard let source = scratch.baseAddress else { return -1 }
      let count = write(source)
      if count > 0, count <= buffer.count, let output = buffer.baseAddress {
        var index = 0
        while index < count {
          output[index] = source[index]
          index &+= 1
        }
      }
      return count
    }
  }
}
