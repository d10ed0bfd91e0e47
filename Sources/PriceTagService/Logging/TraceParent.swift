/// The trace of a request, from its `traceparent` field (W3C Trace Context).
///
///     let trace = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
///     trace?.traceID    // "4bf92f3577b34da6a3ce929d0e0e4736"
///     trace?.parentID   // "00f067aa0ba902b7"
struct TraceParent: Hashable, Sendable {
  /// 32 hexadecimal digits.
  let traceID: String
  /// 16 hexadecimal digits: the client's span of the request.
  let parentID: String

  /// Parses a field; `nil` if it is invalid. The specification requires to ignore invalid fields.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, Self.isHex(parts[0], 2), parts[0] != "ff", Self.isHex(parts[1], 32),
      Self.isHex(parts[2], 16), Self.isHex(parts[3], 2)
    else { return nil }
    // Later versions may have further parts.
    guard parts.count == 4 || parts[0] != "00" else { return nil }
    guard parts[1...2].allSatisfy({ $0.contains { $0 != "0" } }) else { return nil }
    (traceID, parentID) = (String(parts[1]), String(parts[2]))
  }

  private static func isHex(_ text: Substring, _ count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
