import HTTPTypes
import Hummingbird
import NIOCore
import PriceTag

/// The answer of a route, before it is finalized for the request's method, conditions and content coding.
struct Answer: Sendable {
  /// The body of an answer.
  enum Contents: Sendable {
    case bytes(ByteBuffer)
    /// A body that is written while it is computed.
    case stream(ResponseBody)

    /// The number of bytes that take memory of the budget while they are sent.
    var countedByteCount: Int {
      guard case .bytes(let buffer) = self, buffer.readableBytes > 1 << 14 else { return 0 }
      return buffer.readableBytes
    }
  }

  var status: HTTPResponse.Status = .ok
  var contentType: String
  var contents: Contents
  /// The contents compressed with gzip, if they are available.
  var gzipped: ByteBuffer?
  /// The strong validator, without quotation marks; `nil` if the answer does not support conditional requests.
  var validator: String?
  /// The time of the last change, in seconds since 1970.
  var lastModified: Int?
  /// Whether HTTP caches may store the answer. They must revalidate it after ``ServiceConfiguration/maxAgeSeconds``, by
  /// default each time.
  var isCacheable = false
  /// The instant until which an answer that depends on the date is right, so that caches do not use it later; `nil` for other
  /// answers.
  var validUntil: Instant?
  /// The names of the request fields that the answer depends on, except for `Accept-Encoding`.
  var vary: [String] = []
  /// Whether the answer is in the snapshot's cache, which accounts for its memory.
  var isStored = false
  /// Further header fields.
  var headers = HTTPFields()

  static let json = "application/json"
  static let html = "text/html; charset=utf-8"

  init(_ text: String, _ contentType: String = Answer.json) {
    self.init(ByteBuffer(string: text), contentType)
  }

  init(_ bytes: ByteBuffer, _ contentType: String = Answer.json) {
    (contents, self.contentType) = (.bytes(bytes), contentType)
  }

  init(_ stream: ResponseBody, _ contentType: String) {
    (contents, self.contentType) = (.stream(stream), contentType)
  }

  /// Returns an HTML page without scripts, styles and forms.
  static func page(_ html: String) -> Answer {
    var answer = Answer(html, Answer.html)
    answer.headers[.contentSecurityPolicy] =
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return answer
  }

  /// Returns a redirect to a path, which may be relative. It may have characters of the request, which are encoded.
  static func redirect(_ status: HTTPResponse.Status, to path: String) -> Answer {
    var answer = Answer("", "text/plain; charset=utf-8")
    answer.status = status
    answer.headers[.location] = encoded(path)
    answer.isCacheable = true
    return answer
  }

  /// Returns a path with the bytes encoded that RFC 3986 does not allow in one.
  private static func encoded(_ path: String) -> String {
    let marks = Array("-._~!$&'()*+,;=:@/".utf8)
    var text = ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || marks.contains(byte)
      {
        text.unicodeScalars.append(scalar)
      } else {
        text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }

  /// Returns the answer with the request's query appended to its location, if it is a redirect.
  func keepingQuery(_ query: String?) -> Answer {
    guard let query, !query.isEmpty, let address = headers[.location] else { return self }
    var answer = self
    answer.headers[.location] = "\(address)?\(query)"
    return answer
  }

  /// The approximate number of bytes that the answer takes in a cache.
  var byteCount: Int {
    guard case .bytes(let buffer) = contents else { return 0 }
    return buffer.readableBytes + (gzipped?.readableBytes ?? 0) + 512
  }
}
