import HTTPTypes

/// Whether a request asks only for what it does not have yet (RFC 9110, 13).
struct Precondition {
  private let ifNoneMatch: String?
  private let ifModifiedSince: String?

  init(_ headers: HTTPFields) {
    ifNoneMatch = headers[.ifNoneMatch]
    ifModifiedSince = headers[.ifModifiedSince]
  }

  /// Whether the client has the answer with these validators already.
  ///
  /// - Parameters:
  ///   - validator: The strong validator, without quotation marks.
  ///   - lastModified: Seconds since 1970; `nil` where the answer has none.
  func isMet(by validator: String, lastModified: Int?) -> Bool {
    // Where both are there, the validator alone decides.
    if let ifNoneMatch { return Self.matches(ifNoneMatch, validator) }
    guard let lastModified, let ifModifiedSince, let since = HTTPDate(ifModifiedSince) else { return false }
    return lastModified <= since.seconds
  }

  private static func matches(_ field: String, _ validator: String) -> Bool {
    // Commas stand in no validator of ours.
    field.split(separator: ",").contains { part in
      var part = Substring(part.drop { $0 == " " || $0 == "\t" })
      while part.last == " " || part.last == "\t" { part.removeLast() }
      if part == "*" { return true }
      // A cache may have weakened it, and the comparison is a weak one (RFC 9110, 13.1.2).
      if part.hasPrefix("W/") { part = part.dropFirst(2) }
      return part.count >= 2 && part.first == "\"" && part.last == "\""
        && part.dropFirst().dropLast() == validator
    }
  }
}
