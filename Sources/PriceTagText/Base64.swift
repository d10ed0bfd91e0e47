/// Returns bytes as Base64 with padding (RFC 4648).
///
///     base64([0x66, 0x6F])   // "Zm8="
package func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count / 3 + 1) * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << ((3 - group.count) * 8)
    for digit in 0..<4 {
      text.append(digit <= group.count ? alphabet[bits >> (18 - digit * 6) & 63] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}
