/// Reads fields with a fixed width from bytes in memory. No alignment is required.
extension UnsafeRawPointer {
  @inlinable @inline(__always)
  package func uint8(at offset: Int) -> Int {
    Int(truncatingIfNeeded: loadUnaligned(fromByteOffset: offset, as: UInt8.self))
  }

  @inlinable @inline(__always)
  package func uint16(at offset: Int) -> Int {
    Int(truncatingIfNeeded: UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  @inlinable @inline(__always)
  package func uint32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inlinable @inline(__always)
  package func uint64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
