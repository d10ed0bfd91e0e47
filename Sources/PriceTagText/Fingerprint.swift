/// A short identifier of contents, which changes with the contents. It does not protect against deliberate collisions.
package struct Fingerprint {
  // FNV-1a, 64 bits.
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    // A loop over a buffer is a fraction of the work of one over an unknown sequence.
    let result = bytes.withContiguousStorageIfAvailable { buffer in
      buffer.reduce(hash) { Self.hash($0, $1) }
    }
    hash = result ?? bytes.reduce(hash) { Self.hash($0, $1) }
  }

  private static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// Sixteen hexadecimal digits.
  package var text: String { hash.hexadecimal }
}

extension UInt64 {
  /// Sixteen hexadecimal digits.
  package var hexadecimal: String { zeroPadded(String(self, radix: 16), 16) }
}

/// Returns the fingerprint of a text.
package func fingerprint(of text: String) -> String {
  var fingerprint = Fingerprint()
  fingerprint.add(text.utf8)
  return fingerprint.text
}
