import ArgumentParser

/// Where the service listens, and what it logs.
package struct ListeningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The IP address to listen on (default: 127.0.0.1, for a service behind a proxy).",
      valueName: "address"
    )
  )
  package var host: String?

  @Option(
    help: ArgumentHelp("The port to listen on; 0 for any free port (default: 8080).", valueName: "port")
  )
  package var port: Int?

  @Option(
    help: ArgumentHelp(
      "The port of /metrics, /ready and /health, without TLS; 0 for any free port (default: the port of --port).",
      valueName: "port"
    )
  )
  package var adminPort: Int?

  @Option(
    help: ArgumentHelp(
      "The IP address to listen on for --admin-port (default: 127.0.0.1).",
      valueName: "address"
    )
  )
  package var adminHost: String?

  @Option(
    help: ArgumentHelp(
      "The certificate chain, PEM. With it, the service uses HTTPS instead of HTTP.",
      valueName: "file"
    ),
    completion: .file()
  )
  package var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("The private key of the certificate, PEM.", valueName: "file"),
    completion: .file()
  )
  package var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "The minimum level to log: trace, debug (with a line for each request), info, notice, warning or error (default: info).",
      valueName: "level"
    )
  )
  package var logLevel: String?

  @Option(
    help: ArgumentHelp(
      "The format of the log on standard error: text or json (default: text).",
      valueName: "format"
    )
  )
  package var logFormat: String?

  @Option(
    help: ArgumentHelp(
      "Log each request to standard error, at the level info: json, or common for the Combined Log Format with milliseconds, request and trace identifiers (default: no access log).",
      valueName: "format"
    )
  )
  package var accessLog: String?

  @Option(
    help: ArgumentHelp(
      "The origins whose scripts may read responses, as https://shop.example,…; * for all (default: none).",
      valueName: "origins"
    )
  )
  package var corsOrigins: String?

  @Option(
    help: ArgumentHelp(
      "The time in seconds that caches may reuse a response without a request to the service (default: 0).",
      valueName: "seconds"
    )
  )
  package var maxAge: Int?

  @Option(
    help: ArgumentHelp(
      "The time in seconds between checks of the catalog file for changes; 0 for no checks (default: 1).",
      valueName: "seconds"
    )
  )
  package var checkSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "The time in seconds that the catalog file must stay unchanged before it is read; 0 to read it at once (default: 2).",
      valueName: "seconds"
    )
  )
  package var settleSeconds: Int?

  @Flag(help: "Accept a new catalog that has less than half of the products of the current one.")
  package var allowShrink = false

  @Option(
    help: ArgumentHelp(
      "The time in seconds between the moment /ready reports that the service stops and the moment it refuses connections (default: 0).",
      valueName: "seconds"
    )
  )
  package var drainSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "The time in seconds that requests have to finish when the service stops (default: 9).",
      valueName: "seconds"
    )
  )
  package var stopSeconds: Int?

  package init() {}
}

/// The limits of clients, connections, requests and responses.
package struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The maximum number of open connections; beyond it, the one idle longest is closed for a new one (default: 10000).",
      valueName: "count"
    )
  )
  package var maxConnections: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum number of open connections per client (an IPv4 address or an IPv6 /64); 0 for no limit (default: 0).",
      valueName: "count"
    )
  )
  package var maxConnectionsPerClient: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum number of requests per client and second; 0 for no limit (default: 0).",
      valueName: "count"
    )
  )
  package var requestsPerSecondPerClient: Int?

  @Option(
    help: ArgumentHelp(
      "The proxies whose X-Forwarded-For names the client, as 10.0.0.0/8,::1,… (default: none).",
      valueName: "addresses"
    )
  )
  package var trustedProxies: String?

  @Flag(
    help:
      "Treat each loopback address as a client that shares work and memory with others; by default, each connection from one is a client."
  )
  package var limitLoopback = false

  @Option(
    help: ArgumentHelp(
      "The time in seconds in which a complete request head must arrive (default: 10).",
      valueName: "seconds"
    )
  )
  package var headSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "The time in seconds that a connection may be idle between requests (default: 60).",
      valueName: "seconds"
    )
  )
  package var idleSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "The time in seconds that a client may read no byte of a response (default: 30).",
      valueName: "seconds"
    )
  )
  package var writeSeconds: Int?

  @Option(
    help: ArgumentHelp("The maximum size of a request head in bytes (default: 16384).", valueName: "bytes")
  )
  package var maxHeadBytes: Int?

  @Option(help: ArgumentHelp("The maximum size of a URL in bytes (default: 8192).", valueName: "bytes"))
  package var maxUrlBytes: Int?

  @Option(
    help: ArgumentHelp("The maximum size of a request body in bytes (default: 1048576).", valueName: "bytes")
  )
  package var maxBodyBytes: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum size of a request body of /v1/batch in bytes (default: 1073741824).",
      valueName: "bytes"
    )
  )
  package var maxBatchBytes: Int?

  @Option(
    help: ArgumentHelp(
      "The minimum rate of a request body in bytes per second (default: 500).",
      valueName: "bytes"
    )
  )
  package var minBodyRate: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum number of rows, messages or identifiers in a request (default: 10000).",
      valueName: "count"
    )
  )
  package var maxItems: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum size in bytes of a response that is not streamed (default: 16777216).",
      valueName: "bytes"
    )
  )
  package var maxAnswerBytes: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum CPU time of a response in seconds (default: 10).",
      valueName: "seconds"
    )
  )
  package var maxCpuSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum number of bytes of request bodies and responses in memory, over all connections (default: 268435456).",
      valueName: "bytes"
    )
  )
  package var maxBufferedBytes: Int?

  package init() {}
}

/// The store pages that the service serves, as for `pricetag pages`.
package struct ServedPagesOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The storefronts that have pages: all, or a list such as USA,JPN (default: all).",
      valueName: "all|ids"
    )
  )
  package var storefronts: String?

  @Option(
    help: ArgumentHelp(
      "The languages of pages: store for the languages of each store, all for every UI language, or a list such as en,ja (default: all; with --storefronts, store).",
      valueName: "all|store|tags"
    )
  )
  package var languages: String?

  @OptionGroup package var shop: ShopOptions

  package init() {}
}
