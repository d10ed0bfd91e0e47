import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A response that is sent at once.
struct ShortResponse: Sendable {
  var head: HTTPResponse
  private var body = ByteBuffer()

  /// Creates the response of an answer, which must not be a stream.
  init(_ answer: FinalAnswer) {
    head = answer.head
    if case .bytes(let bytes) = answer.contents { body = bytes }
  }

  /// Passes the parts of the response to `write`.
  func write(_ write: (HTTPResponsePart) -> Void) {
    write(.head(head))
    if body.readableBytes > 0 { write(.body(body)) }
    write(.end(nil))
  }
}

/// Computes responses on a connection's event loop, without a task or a thread switch.
struct ImmediateAnswers: Sendable {
  /// The memory for the bodies of all requests.
  let buffers: ByteBudget
  /// Returns whether a request with this head may be answered on the event loop, once its body is complete.
  let isCandidate: @Sendable (HTTPRequest) -> Bool
  /// Returns the response; `nil` if computing it takes long or has to wait, so that the application must answer.
  let answer: @Sendable (HTTPRequest, ByteBuffer) -> ShortResponse?
}

/// Answers short requests on the connection's event loop, and forwards all others to the application.
///
/// It is in the pipeline between the ``ResponseEndHandler`` and the application, which does not see the requests
/// answered here. The guard passes on one request at a time, so responses keep their order.
final class ImmediateAnswerHandler: ChannelInboundHandler, RemovableChannelHandler {
  /// Parts of a request.
  typealias InboundIn = HTTPRequestPart
  /// The same parts, of requests for the application.
  typealias InboundOut = HTTPRequestPart
  /// Parts of a response.
  typealias OutboundOut = HTTPResponsePart

  /// The maximum size of a body. The application answers requests with longer ones, because it reads with back
  /// pressure.
  static let maximumByteCount = 1 << 14

  private let answers: ImmediateAnswers
  /// The received parts of a request that may be answered here.
  private var request: (head: HTTPRequest, body: ByteBuffer)?
  private let reservation: BufferReservation
  private var date = (seconds: 0, text: "")

  init(_ answers: ImmediateAnswers) {
    self.answers = answers
    reservation = BufferReservation(answers.buffers)
  }

  /// Collects the parts of a request that may be answered here, and answers when it is complete.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head) where answers.isCandidate(head):
      request = (head, ByteBuffer())
      return
    case .body(var chunk) where request != nil:
      if request?.body.readableBytes == 0 { request?.body = chunk } else { request?.body.writeBuffer(&chunk) }
      // Without memory, the application answers.
      if let request, request.body.readableBytes <= Self.maximumByteCount,
        reservation.resize(to: request.body.readableBytes)
      {
        return
      }
      return forwardToApplication(context)
    case .end where request != nil:
      // If the client does not read, the application answers: it waits for the client, but here output would
      // accumulate.
      guard context.channel.isWritable, let request, var answer = answers.answer(request.head, request.body)
      else {
        forwardToApplication(context)
        break
      }
      self.request = nil
      _ = reservation.resize(to: 0)
      let now = HTTPDate.now
      if now.seconds != date.seconds { date = (now.seconds, now.description) }
      answer.head.headerFields.append(HTTPField(name: .date, value: date.text))
      answer.write { context.write(wrapOutboundOut($0), promise: nil) }
      return context.flush()
    default: break
    }
    context.fireChannelRead(data)
  }

  /// Forwards the collected parts to the application.
  private func forwardToApplication(_ context: ChannelHandlerContext) {
    guard let (head, body) = request else { return }
    request = nil
    _ = reservation.resize(to: 0)
    context.fireChannelRead(wrapInboundOut(.head(head)))
    if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
  }

  /// Forwards an event, such as the end of input, to the application, preceded by the parts of an incomplete request.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    forwardToApplication(context)
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    request = nil
    _ = reservation.resize(to: 0)
    context.fireChannelInactive()
  }
}
