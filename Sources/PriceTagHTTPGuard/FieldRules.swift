/// The fields of a head so far, as far as they say where the request ends and how the connection goes on.
struct FieldRules: Sendable {
  /// Number of fields.
  private(set) var count = 0
  /// Whether there was a Host field.
  private(set) var hasHost = false
  /// Value of the Content-Length field; the largest integer stands for all numbers that are larger.
  private(set) var contentLength: Int?
  /// Whether the body is chunked.
  private(set) var isChunked = false
  /// Whether no further request may follow.
  private(set) var closesConnection = false
  /// Whether the client waits for `100 Continue`.
  private(set) var expectsContinue = false
  /// The origin of the script that makes the request, for the answer to a refused one; `nil` where there are two.
  private(set) var origin: String?
  private var originCount = 0

  /// Takes one line without its line end.
  mutating func take(
    _ line: UnsafeRawBufferPointer,
    isHTTP10: Bool,
    limit: Int
  ) throws(RequestRefusal) {
    count += 1
    guard count <= limit else { throw .tooManyFields(limit: limit) }
    guard line[0] != Byte.space, line[0] != Byte.tab else {
      throw .malformedHead("a field is continued on a further line, which HTTP/1.1 no longer has")
    }
    guard let colon = line.position(of: UInt8(ascii: ":")) else {
      throw .malformedHead("a line of the head has no colon")
    }
    let name = line.part(0..<colon)
    guard colon > 0, ByteClass.token.containsAll(name) else {
      throw .malformedHead("a field name is not a token, or there is a space before its colon")
    }
    let value = line.part(colon + 1..<line.count)
    guard !value.hasControls else { throw .malformedHead("a field value has a control character") }
    try judge(name, value, isHTTP10: isHTTP10)
  }

  /// The length of a name tells most fields apart without reading them.
  private mutating func judge(
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
    guard !hasHost else { throw .invalidHost("the head has more than one Host field") }
    guard HostRule.isHost(value) else {
      throw .invalidHost("the Host field is not a host name or an IP address, with or without a port")
    }
    hasHost = true
  }

  /// A decoder behind stops reading after a request for an upgrade, so such a request is the last one too.
  private mutating func takeConnection(_ value: UnsafeRawBufferPointer) {
    for option in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: true) {
      let option = UnsafeRawBufferPointer(rebasing: option).withoutBlanks
      if option.isLetters("close") || option.isLetters("upgrade") { closesConnection = true }
    }
  }

  /// Two equal values are refused too: whoever sends them has a part that does not know of the other.
  private mutating func takeContentLength(_ value: UnsafeRawBufferPointer) throws(RequestRefusal) {
    guard !isChunked else { throw .conflictingLengths }
    guard contentLength == nil else {
      throw .invalidContentLength("the head has more than one Content-Length field")
    }
    guard !value.isEmpty else { throw .invalidContentLength("the Content-Length is empty") }
    var number = 0
    for byte in value {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
        throw .invalidContentLength("the Content-Length is not a plain number")
      }
      let (product, isLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
      number = isLarge || isLarger ? Int.max : sum
    }
    contentLength = number
  }
}
