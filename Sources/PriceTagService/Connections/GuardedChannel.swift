import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import PriceTagHTTPGuard

/// Hummingbird's HTTP/1.1 channel with a ``RequestGuard`` before it.
struct GuardedChannel: ServerChildChannel, HTTPChannelHandler {
  /// What Hummingbird's own channel hands to its handler.
  typealias Value = HTTP1Channel.Value

  /// The application.
  let responder: HTTPChannelHandler.Responder
  /// What a connection may cost.
  let limits: ConnectionLimits
  /// Whether the service stops.
  let drain: ServiceDrain
  /// What a connection answers by itself.
  let immediate: ImmediateAnswers?
  /// Body of the answer to a refused request, as `application/problem+json`.
  let refusalBody: @Sendable (RequestRefusal, _ requestID: String) -> [UInt8]
  /// Told of every refusal.
  let onRefusal: @Sendable (RequestRefusal, _ requestID: String) -> Void
  /// Told `true` for every connection that opens and `false` for every one that closes.
  let onConnection: @Sendable (Bool) -> Void
  /// What is counted, logged and limited of each client; `nil` for a channel that does none of it.
  var exchanges: ExchangeRules?

  /// Adds the guard, then all that Hummingbird adds.
  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let requestGuard = RequestGuard(
        limits: limits,
        drain: drain,
        newRequestID: { RequestIdentifier.of(nil) },
        date: { HTTPDate.now.description },
        refusalBody: refusalBody,
        onRefusal: onRefusal,
        onConnection: onConnection
      )
      let watchers = exchanges?.handlers(of: channel, requestGuard) ?? []
      try channel.pipeline.syncOperations.addHandler(requestGuard)
      return NIOLoopBound((requestGuard, watchers), eventLoop: channel.eventLoop)
    }.flatMap { handlers in
      // The guard closes idle connections, so Hummingbird needs no timer of its own.
      let configuration = HTTP1Channel.Configuration(
        additionalChannelHandlers: [ResponseEndHandler(handlers.value.0)] + handlers.value.1
          + (immediate.map { [ImmediateAnswerHandler($0)] } ?? [])
      )
      return HTTP1Channel(responder: responder, configuration: configuration)
        .setup(channel: channel, logger: logger)
    }
  }

  /// Handles the requests of a connection as Hummingbird does.
  func handle(value: Value, logger: Logger) async {
    await handleHTTP(asyncChannel: value, logger: logger)
  }
}
