import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded

@testable import PriceTagHTTPGuard

/// A connection in virtual time: a stand-in for the socket, the guard, and a stand-in for the application.
final class GuardedConnection {
  let channel = EmbeddedChannel()
  let socket = SocketRecorder()
  let application = ApplicationRecorder()
  let requestGuard: RequestGuard
  /// Whether the last response that began says that the connection ends with it.
  private(set) var isLast = false
  private let refused = NIOLockedValueBox<[RequestRefusal]>([])
  private let open = NIOLockedValueBox<[Bool]>([])

  init(_ limits: ConnectionLimits = ConnectionLimits()) throws {
    let (refused, open) = (refused, open)
    requestGuard = RequestGuard(
      limits: limits,
      newRequestID: { "0123456789abcdef" },
      date: { "Sun, 06 Nov 1994 08:49:37 GMT" },
      refusalBody: { refusal, _ in Array("{\"code\":\"\(refusal.code)\"}".utf8) },
      onRefusal: { refusal, _ in refused.withLockedValue { $0.append(refusal) } },
      onConnection: { isOpen in open.withLockedValue { $0.append(isOpen) } }
    )
    try channel.pipeline.syncOperations.addHandlers([socket, requestGuard, application])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    channel.read()
  }

  var refusals: [String] { refused.withLockedValue { $0.map { "\($0.status) \($0.code)" } } }
  var openings: [Bool] { open.withLockedValue { $0 } }
  var isOpen: Bool { channel.isActive }
  /// What the application has got.
  var passed: String { application.text }

  /// The client sends; the socket asks for more at once, as sockets do.
  func send(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
    if channel.isActive { channel.read() }
  }

  /// The client sends, and the application does not ask for more.
  func sendWithoutRead(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

  /// The client closes its sending side.
  func sendEnd() {
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    channel.embeddedEventLoop.run()
  }

  /// The application answers.
  func respond(_ text: String = "answer", ends: Bool = true) throws {
    isLast = requestGuard.responseBegins()
    try channel.writeOutbound(ByteBuffer(string: text))
    if ends { requestGuard.responseHasEnded() }
    channel.embeddedEventLoop.run()
  }

  /// What the client has got since the last call.
  func received() throws -> String {
    var text = ""
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
    // Each answer has a name of its own.
    return text.replacing(/X-Request-ID: [0-9a-f]{16}\r\n/, with: "").replacing(/Date: [^\r]*\r\n/, with: "")
  }

  func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
}

/// Stands where the socket is: counts reads, and keeps a close of the output from being a full one.
final class SocketRecorder: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  private(set) var reads = 0
  private(set) var outputIsClosed = false

  func read(context: ChannelHandlerContext) {
    reads += 1
    context.read()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .output else { return context.close(mode: mode, promise: promise) }
    outputIsClosed = true
    promise?.succeed()
  }
}

/// Stands where the application is.
final class ApplicationRecorder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private(set) var text = ""
  private(set) var pieces = 0
  private(set) var seesInputEnd = false
  private(set) var seesClose = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    pieces += 1
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { seesInputEnd = true }
  }

  func channelInactive(context: ChannelHandlerContext) { seesClose = true }
}
