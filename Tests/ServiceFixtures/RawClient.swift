import NIOCore
import NIOPosix

/// A client that sends and receives raw bytes over a socket.
package final class RawClient: Sendable {
  private let channel: any Channel
  private let inbox: NIOLoopBound<Inbox>

  private final class Inbox: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    var bytes = ByteBuffer()
    var hasEnded = false
    var waiting: [(Int?, EventLoopPromise<Void>)] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var buffer = unwrapInboundIn(data)
      bytes.writeBuffer(&buffer)
      wake()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard case ChannelEvent.inputClosed? = event as? ChannelEvent else { return }
      hasEnded = true
      wake()
    }

    func channelInactive(context: ChannelHandlerContext) {
      hasEnded = true
      wake()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    func wake() {
      let ready = waiting.filter { hasEnded || bytes.readableBytes >= $0.0 ?? Int.max }
      waiting.removeAll { hasEnded || bytes.readableBytes >= $0.0 ?? Int.max }
      for (_, promise) in ready { promise.succeed() }
    }
  }

  private init(channel: any Channel, inbox: NIOLoopBound<Inbox>) {
    self.channel = channel
    self.inbox = inbox
  }

  /// Connects to a local port.
  ///
  /// - Parameter secure: Adds the handlers of a TLS library to the connection.
  package static func connect(
    port: Int,
    secure: @escaping @Sendable (any Channel) throws -> Void = { _ in }
  ) async throws -> RawClient {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try secure(channel)
          try channel.pipeline.syncOperations.addHandler(Inbox())
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    let inbox = try await channel.eventLoop.submit {
      NIOLoopBound(
        try channel.pipeline.syncOperations.handler(type: Inbox.self),
        eventLoop: channel.eventLoop
      )
    }.get()
    return RawClient(channel: channel, inbox: inbox)
  }

  package func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }
  package func sendEnd() async throws { try await channel.close(mode: .output) }

  /// Returns the received bytes when there are at least `count`, or when the server ends the connection.
  package func receive(_ count: Int? = nil) async throws -> (text: String, hasEnded: Bool) {
    let inbox = inbox
    let promise = channel.eventLoop.makePromise(of: Void.self)
    let timeout = channel.eventLoop.scheduleTask(in: .seconds(600)) {
      promise.fail(ChannelError.connectTimeout(.seconds(600)))
    }
    channel.eventLoop.execute {
      inbox.value.waiting.append((count, promise))
      inbox.value.wake()
    }
    try await promise.futureResult.get()
    timeout.cancel()
    return try await channel.eventLoop.submit {
      let text = String(buffer: inbox.value.bytes)
      inbox.value.bytes.clear()
      return (text, inbox.value.hasEnded)
    }.get()
  }

  /// Returns the body of the only response in a text.
  package static func body(of text: String) -> String {
    // A client that has closed its side is probed with an interim response if its own begins late.
    let interim = "HTTP/1.1 100 Continue\r\n\r\n"
    let text = text.hasPrefix(interim) ? text.dropFirst(interim.count) : text[...]
    guard let end = text.firstRange(of: "\r\n\r\n") else { return "" }
    return String(text[end.upperBound...])
  }

  package func close() async throws { try? await channel.close() }
}
