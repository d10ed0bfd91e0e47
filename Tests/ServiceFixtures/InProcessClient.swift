import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization

/// A response that was sent without a socket.
package struct TestResponse: Sendable {
  package let head: HTTPResponse
  package let body: ByteBuffer

  package var status: HTTPResponse.Status { head.status }
  package var headers: HTTPFields { head.headerFields }
  package var text: String { String(buffer: body) }
}

private final class CollectingWriter: ResponseBodyWriter, Sendable {
  let body = Mutex(ByteBuffer())

  func write(_ buffer: ByteBuffer) async throws { body.withLock { _ = $0.writeImmutableBuffer(buffer) } }
  func finish(_ trailers: HTTPFields?) async throws {}
}

extension ApplicationProtocol {
  /// Sends a request to the application's responder, without a socket.
  ///
  /// HummingbirdTesting does the same, and brings a TLS library that takes a fifth of a debug build.
  package func send(
    _ method: HTTPRequest.Method,
    _ address: String,
    _ headers: HTTPFields = [:],
    _ body: String? = nil
  ) async throws -> TestResponse {
    var head = HTTPRequest(
      method: method,
      scheme: "http",
      authority: "localhost",
      path: address,
      headerFields: headers
    )
    var rest = ByteBuffer(string: body ?? "")
    if body != nil { head.headerFields[.contentLength] = "\(rest.readableBytes)" }
    // In parts, as a connection delivers them.
    let (parts, stream) = AsyncStream.makeStream(of: ByteBuffer.self)
    while let part = rest.readSlice(length: min(32 << 10, rest.readableBytes)), part.readableBytes > 0 {
      stream.yield(part)
    }
    stream.finish()
    let context = Responder.Context(
      source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
    )
    let request = Request(head: head, body: RequestBody(asyncSequence: parts))
    let response = try await responder.respond(to: request, context: context)
    let writer = CollectingWriter()
    try await response.body.write(writer)
    return TestResponse(head: response.head, body: writer.body.withLock { $0 })
  }
}
