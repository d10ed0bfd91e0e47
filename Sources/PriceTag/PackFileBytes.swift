extension Pack {
  /// The bytes of the pack's file.
  package var fileBytes: [UInt8] { Array(UnsafeRawBufferPointer(start: bytes.start, count: bytes.size)) }
}
