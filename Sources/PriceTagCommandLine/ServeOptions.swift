import ArgumentParser

/// Where the service listens, and what it logs.
package struct ListeningOptions: ParsableArguments {
  @Option(help: .setting(.host, "address")) package var host: String?
  @Option(help: .setting(.port, "port")) package var port: Int?
  @Option(help: .setting(.adminPort, "port")) package var adminPort: Int?
  @Option(help: .setting(.adminHost, "address")) package var adminHost: String?
  @Option(help: .setting(.tlsCertificate, "file"), completion: .file()) package var tlsCertificate: String?
  @Option(help: .setting(.tlsKey, "file"), completion: .file()) package var tlsKey: String?
  @Option(help: .setting(.logLevel, "level")) package var logLevel: String?
  @Option(help: .setting(.logFormat, "format")) package var logFormat: String?
  @Option(help: .setting(.accessLog, "format")) package var accessLog: String?
  @Option(help: .setting(.corsOrigins, "origins")) package var corsOrigins: String?
  @Option(help: .setting(.maxAge, "seconds")) package var maxAge: Int?
  @Option(help: .setting(.checkSeconds, "seconds")) package var checkSeconds: Int?
  @Option(help: .setting(.settleSeconds, "seconds")) package var settleSeconds: Int?
  @Flag(help: .setting(.allowShrink)) package var allowShrink = false
  @Option(help: .setting(.drainSeconds, "seconds")) package var drainSeconds: Int?
  @Option(help: .setting(.stopSeconds, "seconds")) package var stopSeconds: Int?

  package init() {}
}

/// The limits of clients, connections, requests and responses.
package struct LimitOptions: ParsableArguments {
  @Option(help: .setting(.maxConnections, "count")) package var maxConnections: Int?
  @Option(help: .setting(.maxConnectionsPerClient, "count")) package var maxConnectionsPerClient: Int?
  @Option(help: .setting(.requestsPerSecondPerClient, "count")) package var requestsPerSecondPerClient: Int?
  @Option(help: .setting(.trustedProxies, "addresses")) package var trustedProxies: String?
  @Flag(help: .setting(.limitLoopback)) package var limitLoopback = false
  @Option(help: .setting(.headSeconds, "seconds")) package var headSeconds: Int?
  @Option(help: .setting(.idleSeconds, "seconds")) package var idleSeconds: Int?
  @Option(help: .setting(.writeSeconds, "seconds")) package var writeSeconds: Int?
  @Option(help: .setting(.maxHeadBytes, "bytes")) package var maxHeadBytes: Int?
  @Option(help: .setting(.maxUrlBytes, "bytes")) package var maxUrlBytes: Int?
  @Option(help: .setting(.maxBodyBytes, "bytes")) package var maxBodyBytes: Int?
  @Option(help: .setting(.maxBatchBytes, "bytes")) package var maxBatchBytes: Int?
  @Option(help: .setting(.minBodyRate, "bytes")) package var minBodyRate: Int?
  @Option(help: .setting(.maxItems, "count")) package var maxItems: Int?
  @Option(help: .setting(.maxAnswerBytes, "bytes")) package var maxAnswerBytes: Int?
  @Option(help: .setting(.maxCpuSeconds, "seconds")) package var maxCpuSeconds: Int?
  @Option(help: .setting(.maxBufferedBytes, "bytes")) package var maxBufferedBytes: Int?

  package init() {}
}

/// The store pages that the service serves, as for `pricetag pages`.
package struct ServedPagesOptions: ParsableArguments {
  @Option(help: .setting(.storefronts, "all|ids")) package var storefronts: String?
  @Option(help: .setting(.languages, "all|store|tags")) package var languages: String?
  @OptionGroup package var shop: ShopOptions

  package init() {}
}
