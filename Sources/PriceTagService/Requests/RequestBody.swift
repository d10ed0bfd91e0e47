import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import PriceTag
import PriceTagText

extension HTTPFields {
  /// Checks the content type and content encoding of the body.
  func checkBody(_ types: [String] = ["application/json"]) throws(Problem) {
    for field in self {
      switch field.name {
      case .contentEncoding where field.value.lowercased() != "identity":
        throw Problem(
          .unsupportedMediaType,
          "unsupported-content-encoding",
          "the content encoding \(quoted(field.value)) is not supported",
          fix: "send the body without Content-Encoding"
        )
      case .contentType where field.value != types.first && !Self.isOne(field.value, of: types):
        throw Problem(
          .unsupportedMediaType,
          "unsupported-media-type",
          "the content type \(quoted(field.value)) is not supported",
          fix: "send Content-Type: \(types.first ?? "")"
        )
      default: break
      }
    }
  }

  /// Returns whether a media type is in a list, ignoring its case and parameters.
  private static func isOne(_ type: String, of types: [String]) -> Bool {
    types.contains(String(type.prefix { $0 != ";" }.filter { $0 != " " }).lowercased())
  }
}

extension Request {
  /// Reads the complete body, whose content type must be JSON.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The maximum size of the body.
  ///   - reservation: The reservation that is enlarged to the size of the body.
  func json(maximumByteCount: Int, _ reservation: BufferReservation) async throws -> ByteBuffer {
    try headers.checkBody()
    var buffer = ByteBuffer()
    for try await var chunk in body {
      let count = buffer.readableBytes + chunk.readableBytes
      if count > maximumByteCount { throw Problem.tooLarge(maximumByteCount) }
      guard reservation.resize(to: count) else { throw Problem.outOfBuffers }
      if buffer.readableBytes == 0 { buffer = chunk } else { buffer.writeBuffer(&chunk) }
    }
    return buffer
  }
}

extension ByteBuffer {
  /// Returns the members of a body, which must be a JSON object.
  func fields(known: [String]) throws(Problem) -> RequestFields {
    let value = try withUnsafeReadableBytes { (bytes) throws(Problem) in
      try RowsBody.value(bytes.bindMemory(to: UInt8.self))
    }
    guard case .object(let object) = value else { throw .notAnObject(value, fix: "send a JSON object") }
    return try RequestFields(object, known: known)
  }
}

extension URI {
  /// Returns the query parameters, in order.
  func parameters() throws(Problem) -> [(String, String)] {
    guard let query else { return [] }
    var parameters: [(String, String)] = []
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = percentDecoded(pair[0], plusIsSpace: true),
        let value = percentDecoded(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
      else {
        throw Problem(
          .badRequest,
          "malformed-query",
          "a query parameter is not percent-encoded UTF-8",
          fix: "encode each UTF-8 byte except letters, digits and -._~ as %XX"
        )
      }
      parameters.append((key, value))
    }
    return parameters
  }
}

extension Problem {
  static func notAnObject(_ body: JSONValue, fix: String) -> Problem {
    Problem(
      .unprocessableContent,
      "wrong-type",
      "the body must be an object, not \(body.kind)",
      fix: fix,
      pointer: ""
    )
  }

  /// A value that a request must have is missing. `noun` says what it is.
  static func missing(
    _ noun: String,
    _ name: String,
    _ status: HTTPResponse.Status,
    pointer: String?
  ) -> Problem {
    let detail = "the \(noun) \(quoted(name)) is missing"
    return Problem(status, "missing-field", detail, fix: "add it", pointer: pointer)
  }

  static func invalidJSON(_ code: String, _ detail: String, pointer: String? = nil) -> Problem {
    Problem(.badRequest, code, detail, fix: "send valid JSON (RFC 8259)", pointer: pointer)
  }

  static func tooLarge(_ maximumByteCount: Int) -> Problem {
    Problem(
      .contentTooLarge,
      "body-too-large",
      "the body is larger than \(maximumByteCount) bytes",
      fix: "split the request, or send price rows to /v1/batch"
    )
  }
}

/// Decodes a percent-encoded text; `nil` if a `%` is not followed by two hexadecimal digits, or if the bytes are not
/// UTF-8.
func percentDecoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
  if !text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) {
    return String(text)
  }
  var bytes: [UInt8] = []
  var rest = text.utf8[...]
  while let byte = rest.popFirst() {
    switch byte {
    case UInt8(ascii: "%"):
      let digits = rest.prefix(2)
      rest = rest.dropFirst(2)
      guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(decoded)
    case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
    default: bytes.append(byte)
    }
  }
  return String(validating: bytes, as: UTF8.self)
}
