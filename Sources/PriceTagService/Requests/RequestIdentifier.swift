import PriceTagText
import Synchronization

/// Identifiers of requests for logs and responses: the client's own, or a generated one.
enum RequestIdentifier {
  private static let count = Atomic<UInt64>(0)
  /// A random offset, so that the identifiers of different processes differ.
  private static let start = UInt64.random(in: 0...UInt64.max)

  /// Returns the client's identifier if it has 1 to 128 letters, digits and `-._`; otherwise a new one of 16
  /// hexadecimal digits.
  static func of(_ given: String?) -> String {
    if let given, (1...128).contains(given.utf8.count), given.utf8.allSatisfy(isPlain) { return given }
    return (count.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue &+ start).hexadecimal
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }
}
