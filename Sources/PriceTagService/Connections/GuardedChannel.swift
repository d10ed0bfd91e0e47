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
  /// The rules of the guards.
  let rules: GuardRules
  /// The answers given on the connection's event loop; `nil` for none.
  var immediate: ImmediateAnswers?
  /// How requests are counted, logged and limited; `nil` for a channel that does none of it.
  var exchanges: ExchangeRules?

  /// Adds the guard, then the handlers of Hummingbird's channel.
  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let client = ConnectionClient()
    return channel.eventLoop.makeCompletedFuture {
      let requestGuard = RequestGuard(rules)
      requestGuard.onClientGone = { client.leave() }
      var handlers: [any RemovableChannelHandler] = [ResponseEndHandler(requestGuard)]
      if let exchanges { handlers.append(exchanges.handler(of: channel, client, requestGuard)) }
      if let immediate { handlers.append(ImmediateAnswerHandler(immediate)) }
      try channel.pipeline.syncOperations.addHandler(requestGuard)
      return NIOLoopBound(handlers, eventLoop: channel.eventLoop)
    }.flatMap { handlers in
      // Hummingbird's idle timer is not needed: the guard closes idle connections.
      let configuration = HTTP1Channel.Configuration(additionalChannelHandlers: handlers.value)
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
