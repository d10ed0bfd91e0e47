import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// What a connection answers by itself, without a task and without a change of threads.
struct ImmediateAnswers: Sendable {
  /// The memory that the bodies of all requests may take.
  let buffers: ByteBudget
  /// Whether the answer to a request may be made so, by its head: its body is waited for.
  let isCandidate: @Sendable (HTTPRequest) -> Bool
  /// The answer; `nil` where it takes long, or has to wait: it is the application's then.
  let answer: @Sendable (HTTPRequest, ByteBuffer) -> (head: HTTPResponse, body: ByteBuffer)?
}

/// Answers short requests where their bytes come in, and passes all others on to the application.
///
/// It stands between the ``ResponseEndHandler`` and the application, which learns nothing of what is answered here. The
/// guard lets one request at a time through, so no answer overtakes another.
final class ImmediateAnswerHandler: ChannelInboundHandler, RemovableChannelHandler {
  /// Parts of a request.
  typealias InboundIn = HTTPRequestPart
  /// The same parts, of requests that are the application's.
  typealias InboundOut = HTTPRequestPart
  /// Parts of an answer.
  typealias OutboundOut = HTTPResponsePart

  /// Longer bodies are the application's, which reads them as fast as it can use them.
  static let mostBytes = 1 << 14

  private let answers: ImmediateAnswers
  /// A request that may be answered here, as far as it is there.
  private var request: (head: HTTPRequest, body: ByteBuffer)?
  private let reservation: BufferReservation
  private var date = (seconds: 0, text: "")

  init(_ answers: ImmediateAnswers) {
    self.answers = answers
    reservation = BufferReservation(answers.buffers)
  }

  /// Collects what may be answered here, and answers once it is whole.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head) where answers.isCandidate(head):
      request = (head, ByteBuffer())
      return
    case .body(var piece) where request != nil:
      if request?.body.readableBytes == 0 { request?.body = piece } else { request?.body.writeBuffer(&piece) }
      // The application answers where there is no memory left.
      if let request, request.body.readableBytes <= Self.mostBytes,
        reservation.resize(to: request.body.readableBytes)
      {
        return
      }
      return passOn(context)
    case .end where request != nil:
      // The application waits until a client takes what was written before; here it would pile up.
      guard context.channel.isWritable, let request, let answer = answers.answer(request.head, request.body)
      else {
        passOn(context)
        break
      }
      self.request = nil
      _ = reservation.resize(to: 0)
      return write(answer, context)
    default: break
    }
    context.fireChannelRead(data)
  }

  /// Gives the application what was collected.
  private func passOn(_ context: ChannelHandlerContext) {
    guard let (head, body) = request else { return }
    request = nil
    _ = reservation.resize(to: 0)
    context.fireChannelRead(wrapInboundOut(.head(head)))
    if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
  }

  private func write(_ answer: (head: HTTPResponse, body: ByteBuffer), _ context: ChannelHandlerContext) {
    var head = answer.head
    let now = HTTPDate.now
    if now.seconds != date.seconds { date = (now.seconds, now.description) }
    head.headerFields.append(HTTPField(name: .date, value: date.text))
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(answer.body)), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// Ends of the input and of the service concern the application, and with them a request that is not whole.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    passOn(context)
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    request = nil
    _ = reservation.resize(to: 0)
    context.fireChannelInactive()
  }
}

@available(*, unavailable)
extension ImmediateAnswerHandler: Sendable {}
