/// The first line of a request.
struct RequestLine: Sendable {
  /// The method: one of RFC 9110, or PATCH.
  var method: String
  /// The path of the target as sent, without the query; `*` for `OPTIONS *`.
  var path: String
  /// Whether the version is HTTP/1.0.
  var isHTTP10: Bool

  /// The supported methods. NIO's decoder would respond to an unknown method with a 400 without a body, and to CONNECT with
  /// a tunnel.
  private static let methods = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
  /// The maximum length of a method. All standard methods are shorter.
  private static let maximumMethodByteCount = 32

  /// Parses a line without its terminator.
  init(_ line: UnsafeRawBufferPointer, targetBytes: Int) throws(RequestRefusal) {
    try Self.checkStart(line, targetBytes: targetBytes)
    guard let methodEnd = line.position(of: Byte.space) else {
      throw .malformedRequest("the request line has no target")
    }
    let afterMethod = line.part(methodEnd + 1..<line.count)
    guard let targetEnd = afterMethod.position(of: Byte.space) else {
      throw .malformedRequest("the request line has no HTTP version")
    }
    let target = afterMethod.part(0..<targetEnd)
    guard targetEnd > 0, !target.hasInvisibles, target.position(of: UInt8(ascii: "#")) == nil else {
      throw .malformedRequest(
        "the request target is empty, or has a fragment, a space, a control character or a byte outside ASCII"
      )
    }
    isHTTP10 = try Self.isHTTP10(afterMethod.part(targetEnd + 1..<afterMethod.count))
    method = String(decoding: line.part(0..<methodEnd), as: UTF8.self)
    guard Self.methods.contains(method) else { throw .unsupportedMethod }
    path = try Self.path(of: target, method: method)
  }

  /// Refuses an invalid start of a line before the line is complete. The checks are in the same order as those of a
  /// complete line.
  static func checkStart(_ line: UnsafeRawBufferPointer, targetBytes: Int) throws(RequestRefusal) {
    var end = 0
    while end < line.count, end <= maximumMethodByteCount, ByteClass.token.contains(line[end]) { end += 1 }
    guard end < line.count else { return }
    guard end > 0, end <= maximumMethodByteCount, line[end] == Byte.space else {
      throw .malformedRequest("the method is not a token")
    }
    // Most lines are shorter than the limit and need no search.
    guard line.count - end - 1 > targetBytes else { return }
    let target = line.part(end + 1..<line.count)
    let length = target.firstIndex { $0 == Byte.space || $0 == Byte.carriageReturn || $0 == Byte.lineFeed }
    if length ?? target.count > targetBytes { throw .targetTooLong(limit: targetBytes) }
  }

  private static func isHTTP10(_ version: UnsafeRawBufferPointer) throws(RequestRefusal) -> Bool {
    if version.equals("HTTP/1.1") { return false }
    if version.equals("HTTP/1.0") { return true }
    let isOtherVersion =
      version.count > 5 && version.part(0..<5).equals("HTTP/")
      && version.part(5..<version.count).allSatisfy {
        $0 == UInt8(ascii: ".") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
      }
    throw isOtherVersion
      ? .unsupportedVersion
      : .malformedRequest("the request line does not end in 'HTTP/1.1' or 'HTTP/1.0'")
  }

  private static func path(
    of target: UnsafeRawBufferPointer,
    method: String
  ) throws(RequestRefusal) -> String {
    if target[0] == UInt8(ascii: "/") { return pathText(target) }
    if target.equals("*"), method == "OPTIONS" { return "*" }
    var schemeBytes = 0
    if target.count > 7, target.part(0..<7).isLetters("http://") { schemeBytes = 7 }
    if target.count > 8, target.part(0..<8).isLetters("https://") { schemeBytes = 8 }
    let afterScheme = target.part(schemeBytes..<target.count)
    let authorityBytes =
      afterScheme.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? afterScheme.count
    guard
      schemeBytes > 0, authorityBytes > 0,
      HostRule.isHost(afterScheme.part(0..<authorityBytes))
    else {
      throw .malformedRequest("the request target is neither a path nor an http or https URL")
    }
    let path = pathText(afterScheme.part(authorityBytes..<afterScheme.count))
    return path.isEmpty ? "/" : path
  }

  private static func pathText(_ target: UnsafeRawBufferPointer) -> String {
    let end = target.position(of: UInt8(ascii: "?")) ?? target.count
    return String(decoding: target.part(0..<end), as: UTF8.self)
  }
}
