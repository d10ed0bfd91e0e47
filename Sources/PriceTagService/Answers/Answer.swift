import HTTPTypes
import Hummingbird
import NIOCore

/// What a route answers, before it is fitted to the request: its coding, its conditions, its method.
struct Answer: Sendable {
  /// What an answer holds.
  enum Contents: Sendable {
    case bytes(ByteBuffer)
    /// Written as it comes about.
    case stream(ResponseBody)
  }

  var status: HTTPResponse.Status = .ok
  var contentType: String
  var contents: Contents
  /// The same contents in gzip, where they were compressed before.
  var gzipped: ByteBuffer?
  /// The strong validator, without quotation marks; `nil` for an answer that no request can be made on condition of.
  var validator: String?
  /// Seconds since 1970 of the last change.
  var lastModified: Int?
  /// How long a cache may answer in place of the service.
  var caching = Caching.never
  /// The request fields, beside `Accept-Encoding`, that another answer could follow from.
  var vary: [String] = []
  /// Whether others are answered with the same bytes, which are counted among those that are stored.
  var isStored = false
  /// Further fields.
  var headers = HTTPFields()

  /// What caches may do.
  enum Caching: Equatable, Sendable {
    /// Nothing is kept.
    case never
    /// Kept, and asked for again each time, or after the seconds that the service is configured with.
    case revalidated
  }

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

  /// A way to another address, from where the request is.
  static func redirect(_ status: HTTPResponse.Status, to address: String) -> Answer {
    var answer = Answer("", "text/plain; charset=utf-8")
    answer.status = status
    answer.headers[.location] = address
    answer.caching = .revalidated
    return answer
  }

  /// The answer with the query of its request, where it is a redirect.
  func keepingQuery(_ query: String?) -> Answer {
    guard let query, !query.isEmpty, let address = headers[.location] else { return self }
    var answer = self
    answer.headers[.location] = "\(address)?\(query)"
    return answer
  }

  /// How many bytes it takes in a cache.
  var byteCount: Int {
    guard case .bytes(let buffer) = contents else { return 0 }
    return buffer.readableBytes + (gzipped?.readableBytes ?? 0) + 512
  }
}
