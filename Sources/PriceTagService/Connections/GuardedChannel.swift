import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import PriceTagHTTPGuard

/// Hummingbird's HTTP/1.1 channel, preceded by a ``RequestGuard``.
struct GuardedChannel: ServerChildChannel, HTTPChannelHandler {
  /// The value of Hummingbird's channel, and the client of the connection.
  struct Value: ServerChildChannelValue {
    let base: HTTP1Channel.Value
    let client: ConnectionClient
    var channel: any Channel { base.channel }
  }

  /// The application.
  let responder: HTTPChannelHandler.Responder
  /// The limits of a connection.
  let limits: ConnectionLimits
  /// The state of a service that stops.
  let drain: ServiceDrain
  /// The connections of the port; `nil` for no maximum.
  var connections: OpenConnections?
  /// The answers given on the connection's event loop; `nil` for none.
  let immediate: ImmediateAnswers?
  /// Returns the body of the response to a refused request, as `application/problem+json`.
  let refusalBody: @Sendable (RequestRefusal, _ requestID: String) -> [UInt8]
  /// Called for every refusal.
  let onRefusal: @Sendable (RequestRefusal, _ requestID: String) -> Void
  /// Called with `true` for every connection that opens and `false` for every one that closes.
  let onConnection: @Sendable (Bool) -> Void
  /// How requests are counted, logged and limited; `nil` for a channel that does none of it.
  var exchanges: ExchangeRules?

  /// Adds the guard, then the handlers of Hummingbird's channel.
  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let client = ConnectionClient()
    return channel.eventLoop.makeCompletedFuture {
      let requestGuard = RequestGuard(
        limits: limits,
        drain: drain,
        connections: connections,
        newRequestID: { RequestIdentifier.of(nil) },
        date: { HTTPDate.now.description },
        refusalBody: refusalBody,
        onRefusal: onRefusal,
        onConnection: onConnection
      )
      requestGuard.onClientGone = { client.leave() }
      let exchangeHandlers = exchanges?.handlers(of: channel, client, requestGuard) ?? []
      try channel.pipeline.syncOperations.addHandler(requestGuard)
      return NIOLoopBound((requestGuard, exchangeHandlers), eventLoop: channel.eventLoop)
    }.flatMap { handlers in
      // Hummingbird's idle timer is not needed: the guard closes idle connections.
      let configuration = HTTP1Channel.Configuration(
        additionalChannelHandlers: [ResponseEndHandler(handlers.value.0)] + handlers.value.1
          + (immediate.map { [ImmediateAnswerHandler($0)] } ?? [])
      )
      return HTTP1Channel(responder: responder, configuration: configuration)
        .setup(channel: channel, logger: logger)
    }.map {
      Value(base: $0, client: client)
    }
  }

  /// Handles the requests of a connection with Hummingbird's implementation.
  func handle(value: Value, logger: Logger) async {
    await ConnectionClient.$current.withValue(value.client) {
      await handleHTTP(asyncChannel: value.base, logger: logger)
    }
  }
}
