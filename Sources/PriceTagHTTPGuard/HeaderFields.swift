/// The header fields that determine where a request ends and whether the connection stays open.
struct HeaderFields: Sendable {
  /// The number of fields.
  private(set) var count = 0
  /// Whether the head has a Host field.
  private(set) var hasHost = false
  /// The value of the Content-Length field; `Int.max` for larger numbers.
  private(set) var contentLength: Int?
  /// Whether the body is chunked.
  private(set) var isChunked = false
  /// Whether the connection closes after the request.
  private(set) var closesConnection = false
  /// Whether the client waits for `100 Continue`.
  private(set) var expectsContinue = false
  /// The value of the Origin field, for the response to a refused request; `nil` if there is more than one.
  private(set) var origin: String?
  private var originCount = 0

  /// Parses a field line without its terminator.
  mutating func take(
    _ line: UnsafeRawBufferPointer,
    isHTTP10: Bool,
    limit: Int
  ) throws(RequestRefusal) {
    count += 1
    guard count <= limit else { throw .tooManyFields(limit: limit) }
    guard line[0] != Byte.space, line[0] != Byte.tab else {
      throw .malformedHead("a header field continues on a second line, which HTTP/1.1 does not allow")
    }
    guard let colon = line.position(of: UInt8(ascii: ":")) else {
      throw .malformedHead("a header line has no colon")
    }
    let name = line.part(0..<colon)
    guard colon > 0, ByteClass.token.containsAll(name) else {
      throw .malformedHead("a header field name is not a token, or a space precedes its colon")
    }
    let value = line.part(colon + 1..<line.count)
    guard !value.hasControls else { throw .malformedHead("a header field value has a control character") }
    try interpret(name, value, isHTTP10: isHTTP10)
  }

  /// Stores the values of the relevant fields. Comparing lengths first skips most other names without reading them.
  private mutating func interpret(
    _ name: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    isHTTP10: Bool
  ) throws(RequestRefusal) {
    switch name.count {
    case 4 where name.isLetters("host"):
      try takeHost(value.withoutBlanks)
    case 6 where name.isLetters("expect"):
      if value.withoutBlanks.isLetters("100-continue") { expectsContinue = true }
    case 6 where name.isLetters("origin"):
      originCount += 1
      origin = originCount == 1 ? String(decoding: value.withoutBlanks, as: UTF8.self) : nil
    case 10 where name.isLetters("connection"):
      takeConnection(value)
    case 14 where name.isLetters("content-length"):
      try takeContentLength(value.withoutBlanks)
    case 17 where name.isLetters("transfer-encoding"):
      guard !isHTTP10 else { throw .transferEncodingInHTTP10 }
      guard contentLength == nil else { throw .conflictingLengths }
      guard !isChunked, value.withoutBlanks.isLetters("chunked") else { throw .unsupportedTransferEncoding }
      isChunked = true
    default:
      break
    }
  }

  private mutating func takeHost(_ value: UnsafeRawBufferPointer) throws(RequestRefusal) {
    guard !hasHost else { throw .invalidHost("the request has more than one Host field") }
    guard HostRule.isHost(value) else {
      throw .invalidHost("the Host field is not a host name or an IP address with an optional port")
    }
    hasHost = true
  }

  /// Also closes the connection after an upgrade request, because NIO's decoder stops reading after it.
  private mutating func takeConnection(_ value: UnsafeRawBufferPointer) {
    for option in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: true) {
      let option = UnsafeRawBufferPointer(rebasing: option).withoutBlanks
      if option.isLetters("close") || option.isLetters("upgrade") { closesConnection = true }
    }
  }

  /// Also refuses two equal values: a sender of both has components that disagree about the framing.
  private mutating func takeContentLength(_ value: UnsafeRawBufferPointer) throws(RequestRefusal) {
    guard !isChunked else { throw .conflictingLengths }
    guard contentLength == nil else {
      throw .invalidContentLength("the request has more than one Content-Length field")
    }
    guard !value.isEmpty else { throw .invalidContentLength("the Content-Length field is empty") }
    var number = 0
    for byte in value {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
        throw .invalidContentLength("the Content-Length is not a decimal number")
      }
      let (product, isLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
      number = isLarge || isLarger ? Int.max : sum
    }
    contentLength = number
  }
}
