/// Returns a text escaped for HTML elements and quoted attributes.
///
///     escapedForHTML("a & b")   // "a &amp; b"
@inlinable
package func escapedForHTML(_ text: some StringProtocol) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: true
    }
  }
  if isPlain { return String(text) }
  var escaped: [UInt8] = []
  escaped.reserveCapacity(text.utf8.count + 32)
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "&"): escaped += "&amp;".utf8
    case UInt8(ascii: "<"): escaped += "&lt;".utf8
    case UInt8(ascii: ">"): escaped += "&gt;".utf8
    case UInt8(ascii: "\""): escaped += "&quot;".utf8
    case UInt8(ascii: "'"): escaped += "&#39;".utf8
    default: escaped.append(byte)
    }
  }
  return String(decoding: escaped, as: UTF8.self)
}
