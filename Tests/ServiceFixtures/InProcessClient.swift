import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization

/// Sends requests to the responder of an application, without a socket.
///
/// HummingbirdTesting does the same, and brings a TLS library that takes a fifth of a debug build.
package struct InProcessClient<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  let responder: Responder
  let logger: Logger

  package func execute(
    uri: String,
    method: HTTPRequest.Method,
    headers: HTTPFields = [:],
    body: ByteBuffer? = nil
  ) async throws -> TestResponse {
    var headers = headers
    if let body { headers[.contentLength] = "\(body.readableBytes)" }
    let head = HTTPRequest(
      method: method,
      scheme: "http",
      authority: "localhost",
      path: uri,
      headerFields: headers
    )
    // In parts, as a connection delivers them.
    let parts = AsyncStream<ByteBuffer> { stream in
      var rest = body ?? ByteBuffer()
      while let part = rest.readSlice(length: min(32 << 10, rest.readableBytes)), part.readableBytes > 0 {
        stream.yield(part)
      }
      stream.finish()
    }
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
  /// A client for the application's responder.
  package var client: InProcessClient<Responder> {
    get async throws { InProcessClient(responder: try await responder, logger: logger) }
  }
}
