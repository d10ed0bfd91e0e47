import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import PriceTag
import PriceTagText

extension HTTPFields {
  /// Checks that the body is what a route reads.
  func checkBody(_ types: [String] = ["application/json"]) throws(Problem) {
    for field in self {
      switch field.name {
      case .contentEncoding where field.value.lowercased() != "identity":
        throw Problem(
          .unsupportedMediaType,
          "unsupported-content-encoding",
          "the body's coding is \(quoted(field.value))",
          fix: "send the body as it is, without Content-Encoding"
        )
      case .contentType where field.value != types.first && !Self.isOne(field.value, of: types):
        throw Problem(
          .unsupportedMediaType,
          "unsupported-media-type",
          "the body is \(quoted(field.value))",
          fix: "send Content-Type: \(types.first ?? "")"
        )
      default: break
      }
    }
  }

  /// Whether a media type is one of some, in any case and with any parameters.
  private static func isOne(_ type: String, of types: [String]) -> Bool {
    types.contains(String(type.prefix { $0 != ";" }.filter { $0 != " " }).lowercased())
  }
}

extension Request {
  /// The complete body, which is JSON.
  ///
  /// - Parameters:
  ///   - mostBytes: The most bytes of it.
  ///   - reservation: Grows with the body.
  func json(mostBytes: Int, _ reservation: BufferReservation) async throws -> ByteBuffer {
    try headers.checkBody()
    var whole = ByteBuffer()
    for try await var piece in body {
      let count = whole.readableBytes + piece.readableBytes
      if count > mostBytes { throw Problem.tooLarge(mostBytes) }
      guard reservation.resize(to: count) else { throw Problem.outOfBuffers }
      if whole.readableBytes == 0 { whole = piece } else { whole.writeBuffer(&piece) }
    }
    return whole
  }

  /// The members of a body that is a JSON object.
  func fields(
    mostBytes: Int,
    _ reservation: BufferReservation,
    known: [String]
  ) async throws -> RequestFields {
    let buffer = try await json(mostBytes: mostBytes, reservation)
    let value = buffer.withUnsafeReadableBytes { bytes in
      Result { () throws(JSONError) in try JSONReader.value(of: bytes.bindMemory(to: UInt8.self)) }
    }
    switch value {
    case .success(.object(let object)): return try RequestFields(object, known: known)
    case .success(let other):
      throw Problem(
        .unprocessableContent,
        "wrong-type",
        "the body is \(other.kind)",
        fix: "give an object",
        pointer: ""
      )
    case .failure(let error): throw RowsBody.malformed(error)
    }
  }

}

extension URI {
  /// The parameters of the address, in order.
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
          "a parameter of the address cannot be read",
          fix: "write %XX for each byte of UTF-8 that is no letter, digit, or one of -._~"
        )
      }
      parameters.append((key, value))
    }
    return parameters
  }
}

extension Problem {
  static func tooLarge(_ mostBytes: Int) -> Problem {
    Problem(
      .contentTooLarge,
      "body-too-large",
      "the body has more than \(mostBytes) bytes",
      fix: "send it in several requests, or rows to /v1/batch"
    )
  }
}

/// The text of a part of an address; `nil` where `%` is followed by no two digits, or the bytes are no UTF-8.
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
