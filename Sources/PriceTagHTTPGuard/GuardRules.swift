/// How the guards of a port check, answer and report requests.
package struct GuardRules: Sendable {
  /// The limits of a connection.
  package var limits = ConnectionLimits()
  /// Indicates that the service is stopping.
  package var drain = ServiceDrain()
  /// The connections of the port; `nil` for no maximum.
  package var connections: OpenConnections?
  /// Returns an identifier for a refused request, for its response and its log line.
  package var newRequestID: @Sendable () -> String = { "" }
  /// Returns the current time in the format of the `Date` field (RFC 9110, section 5.6.7).
  package var date: @Sendable () -> String = { "" }
  /// Returns the body of the response to a refused request, as `application/problem+json`.
  package var refusalBody: @Sendable (RequestRefusal, _ requestID: String) -> [UInt8] = { _, _ in [] }
  /// Returns additional header fields of the response to a refused request. `origin` is its `Origin` field, if known.
  package var refusalFields: @Sendable (_ origin: String?) -> String = { _ in "" }
  /// Called for every refusal, even if no response can be sent.
  package var onRefusal: @Sendable (RequestRefusal, _ requestID: String) -> Void = { _, _ in }
  /// Called with `true` when a connection opens and with `false` when it closes.
  package var onConnection: @Sendable (Bool) -> Void = { _ in }

  /// Creates rules with the default limits.
  package init() {}
}
