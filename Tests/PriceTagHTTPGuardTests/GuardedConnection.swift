import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded

@testable import PriceTagHTTPGuard

/// A connection with a simulated clock. Its pipeline has a recorder in place of the socket, the guard, and a recorder
/// in place of the application.
final class GuardedConnection {
  let channel = EmbeddedChannel()
  let socket = SocketRecorder()
  let application = ApplicationRecorder()
  let requestGuard: RequestGuard
  /// Whether the last response announces that the connection closes after it.
  private(set) var isLast = false
  private let refused = NIOLockedValueBox<[RequestRefusal]>([])
  private let open = NIOLockedValueBox<[Bool]>([])

  init(connections: OpenConnections? = nil, _ change: (inout ConnectionLimits) -> Void = { _ in }) throws {
    var rules = GuardRules()
    change(&rules.limits)
    rules.connections = connections
    rules.newRequestID = { "0123456789abcdef" }
    rules.date = { "Sun, 06 Nov 1994 08:49:37 GMT" }
    rules.refusalBody = { refusal, _ in Array("{\"code\":\"\(refusal.code)\"}".utf8) }
    rules.onRefusal = { [refused] refusal, _ in refused.withLockedValue { $0.append(refusal) } }
    rules.onConnection = { [open] isOpen in open.withLockedValue { $0.append(isOpen) } }
    requestGuard = RequestGuard(rules)
    try channel.pipeline.syncOperations.addHandlers([socket, requestGuard, application])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    channel.read()
  }

  var refusals: [String] { refused.withLockedValue { $0.map { "\($0.status) \($0.code)" } } }
  var openings: [Bool] { open.withLockedValue { $0 } }
  var isOpen: Bool { channel.isActive }
  /// The input that the application has received.
  var forwarded: String { application.text }

  /// Sends text as the client. The socket then reads again, as sockets do.
  func send(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
    if channel.isActive { channel.read() }
  }

  /// Sends text as the client. The application does not read again.
  func sendWithoutRead(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

  /// Closes the client's side of the connection.
  func sendEnd() {
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    channel.embeddedEventLoop.run()
  }

  /// Sends a response as the application.
  func respond(_ text: String = "response", ends: Bool = true) throws {
    isLast = requestGuard.responseBegins()
    try channel.writeOutbound(ByteBuffer(string: text))
    if ends { requestGuard.responseHasEnded() }
    channel.embeddedEventLoop.run()
  }

  /// Returns the output that the client has received since the last call, without fields that vary.
  func received() throws -> String {
    var text = ""
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
    return text.replacing(/X-Request-ID: [0-9a-f]{16}\r\n/, with: "").replacing(/Date: [^\r]*\r\n/, with: "")
  }

  /// Advances the clock.
  func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
}

/// Takes the place of the socket. Counts reads, and records a close of the output without closing the channel.
final class SocketRecorder: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  private(set) var readCount = 0
  private(set) var outputIsClosed = false

  func read(context: ChannelHandlerContext) {
    readCount += 1
    context.read()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .output else { return context.close(mode: mode, promise: promise) }
    outputIsClosed = true
    promise?.succeed()
  }
}

/// Takes the place of the application. Records its input and events.
final class ApplicationRecorder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private(set) var text = ""
  private(set) var pieceCount = 0
  private(set) var seesInputEnd = false
  private(set) var seesClose = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    pieceCount += 1
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { seesInputEnd = true }
  }

  func channelInactive(context: ChannelHandlerContext) { seesClose = true }
}
