import PriceTagSystem

/// The syntax of a host with an optional port (RFC 3986, sections 3.2.2 and 3.2.3).
enum HostRule {
  /// The bytes of almost every host: letters, digits, `.` and `-`.
  private static let plain = ByteClass(low: 0x03FF_6000_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)
  /// The bytes of a registered name: letters, digits and `-._~!$&'()*+,;=%`.
  private static let name = ByteClass(low: 0x2BFF_7FF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

  /// Returns whether bytes are a name, an IPv4 address or an IPv6 address in brackets, with an optional port:
  /// `shop.example`, `192.0.2.1:8080`, `[2001:db8::1]:443`.
  static func isHost(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var end = 0
    while end < bytes.count, plain.contains(bytes[end]) { end += 1 }
    if end > 0 {
      if end == bytes.count { return true }
      if bytes[end] == UInt8(ascii: ":") { return isPort(bytes.part(end + 1..<bytes.count)) }
    }
    if bytes.first == UInt8(ascii: "[") { return isBracketed(bytes) }
    let colon = bytes.position(of: UInt8(ascii: ":")) ?? bytes.count
    return isName(bytes.part(0..<colon))
      && (colon == bytes.count || isPort(bytes.part(colon + 1..<bytes.count)))
  }

  private static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty, name.containsAll(bytes) else { return false }
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "%") {
      guard index + 2 < bytes.count, ByteClass.hexDigits.containsAll(bytes.part(index + 1..<index + 3)) else {
        return false
      }
    }
    return true
  }

  /// The port may be empty: `name:` is allowed.
  private static func isPort(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= 5 else { return false }
    var port = 0
    for byte in bytes {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return false }
      port = port * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return port <= 65_535
  }

  private static func isBracketed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let end = bytes.position(of: UInt8(ascii: "]")), end <= 46 else { return false }
    let address = String(decoding: bytes.part(1..<end), as: UTF8.self)
    var parsed = in6_addr()
    guard inet_pton(AF_INET6, address, &parsed) == 1 else { return false }
    if end + 1 == bytes.count { return true }
    return bytes[end + 1] == UInt8(ascii: ":") && isPort(bytes.part(end + 2..<bytes.count))
  }
}
