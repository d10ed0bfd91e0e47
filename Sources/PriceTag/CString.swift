/// The text in a fixed array of a C structure, which Swift sees as a tuple of bytes; it ends at the first zero.
func text<Bytes>(of bytes: Bytes) -> String {
  withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
