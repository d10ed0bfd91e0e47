import HTTPTypes

/// The condition of a request that needs a response only if it has changed (RFC 9110, 13).
enum Precondition {
  /// Returns whether the client already has the response with these validators.
  ///
  /// - Parameters:
  ///   - headers: The fields of the request.
  ///   - validator: The strong validator, without quotation marks.
  ///   - lastModified: The time of the last change in seconds since 1970; `nil` if the response has none.
  static func clientHas(_ headers: HTTPFields, validator: String, lastModified: Int?) -> Bool {
    // If both fields are present, only `If-None-Match` counts.
    if let ifNoneMatch = headers[.ifNoneMatch] { return matches(ifNoneMatch, validator) }
    guard let lastModified, let since = headers[.ifModifiedSince].flatMap(HTTPDate.init) else { return false }
    return lastModified <= since.seconds
  }

  private static func matches(_ field: String, _ validator: String) -> Bool {
    // The service's validators contain no commas.
    field.split(separator: ",").contains { part in
      var part = part.withoutBlanks
      if part == "*" { return true }
      // The comparison is weak (RFC 9110, 13.1.2), and a cache may have weakened the validator.
      if part.hasPrefix("W/") { part = part.dropFirst(2) }
      return part.count >= 2 && part.first == "\"" && part.last == "\""
        && part.dropFirst().dropLast() == validator
    }
  }
}
