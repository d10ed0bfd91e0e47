import ArgumentParser

/// Where the service listens, and what it tells.
package struct ListeningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address to listen at (default: 127.0.0.1, for a proxy stands before it).",
      valueName: "address"
    )
  )
  package var host: String?

  @Option(
    help: ArgumentHelp("The port to listen at; 0 for any that is free (default: 8080).", valueName: "port")
  )
  package var port: Int?

  @Option(
    help: ArgumentHelp(
      "Serve /metrics, /ready and /health on this port instead, without TLS; 0 for any that is free (default: on --port).",
      valueName: "port"
    )
  )
  package var adminPort: Int?

  @Option(
    help: ArgumentHelp(
      "Listen at this address for the admin port (default: 127.0.0.1).",
      valueName: "address"
    )
  )
  package var adminHost: String?

  @Option(
    help: ArgumentHelp("The certificate chain, PEM: HTTPS in place of HTTP.", valueName: "file"),
    completion: .file()
  )
  package var tlsCertificate: String?

  @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"), completion: .file())
  package var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "What is logged at least: trace, debug (with a line for each request), info, notice, warning, error (default: info).",
      valueName: "level"
    )
  )
  package var logLevel: String?

  @Option(
    help: ArgumentHelp(
      "How the log is written, to standard error: text or json (default: text).",
      valueName: "format"
    )
  )
  package var logFormat: String?

  @Option(
    help: ArgumentHelp(
      "Write a line for each request to standard error, at the level info: json, or common for the Combined Log Format with milliseconds, request and trace identifiers (default: none).",
      valueName: "format"
    )
  )
  package var accessLog: String?

  @Option(
    help: ArgumentHelp(
      "Origins whose scripts may read answers, as https://shop.example,…; * for all.",
      valueName: "origins"
    )
  )
  package var corsOrigins: String?

  @Option(
    help: ArgumentHelp(
      "Seconds that caches may answer in place of the service (default: 0, they ask each time).",
      valueName: "seconds"
    )
  )
  package var maxAge: Int?

  @Option(
    help: ArgumentHelp(
      "Seconds between looks at the catalogue's file; 0 for none (default: 1).",
      valueName: "seconds"
    )
  )
  package var checkSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "Read the catalog only when its file has not changed for this long; 0 reads it at once (default: 2).",
      valueName: "seconds"
    )
  )
  package var settleSeconds: Int?

  @Flag(help: "Serve a new catalog that has less than half of the products of the one before.")
  package var allowShrink = false

  @Option(
    help: ArgumentHelp(
      "Seconds that /ready says that the service stops before it takes no more connections (default: 0).",
      valueName: "seconds"
    )
  )
  package var drainSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "Seconds that requests have to finish when the service stops (default: 9).",
      valueName: "seconds"
    )
  )
  package var stopSeconds: Int?

  package init() {}
}

/// What clients may ask for.
package struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The most connections at a time (default: 10000).", valueName: "count"))
  package var maxConnections: Int?

  @Option(
    help: ArgumentHelp(
      "Limit the connections of a client (an IPv4 address or an IPv6 /64) at a time; 0 for no limit (default: 0).",
      valueName: "count"
    )
  )
  package var maxConnectionsPerClient: Int?

  @Option(
    help: ArgumentHelp(
      "Limit the requests of a client in a second; 0 for no limit (default: 0).",
      valueName: "count"
    )
  )
  package var requestsPerSecondPerClient: Int?

  @Option(
    help: ArgumentHelp(
      "Take the client from the X-Forwarded-For of these proxies, as 10.0.0.0/8,::1,… (default: of none).",
      valueName: "addresses"
    )
  )
  package var trustedProxies: String?

  @Option(
    help: ArgumentHelp("Seconds that a whole request head has to arrive (default: 10).", valueName: "seconds")
  )
  package var headSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "Seconds that a connection may be idle between requests (default: 60).",
      valueName: "seconds"
    )
  )
  package var idleSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "Seconds that a client may take nothing of an answer (default: 30).",
      valueName: "seconds"
    )
  )
  package var writeSeconds: Int?

  @Option(help: ArgumentHelp("The most bytes of a request head (default: 16384).", valueName: "bytes"))
  package var maxHeadBytes: Int?

  @Option(help: ArgumentHelp("The most bytes of an address (default: 8192).", valueName: "bytes"))
  package var maxUrlBytes: Int?

  @Option(help: ArgumentHelp("The most bytes of a body (default: 1048576).", valueName: "bytes"))
  package var maxBodyBytes: Int?

  @Option(
    help: ArgumentHelp("The most bytes of a body of /v1/batch (default: 1073741824).", valueName: "bytes")
  )
  package var maxBatchBytes: Int?

  @Option(
    help: ArgumentHelp(
      "The least bytes a second of a body that is awaited (default: 500).",
      valueName: "bytes"
    )
  )
  package var minBodyRate: Int?

  @Option(
    help: ArgumentHelp(
      "The most rows, messages or identifiers of a request (default: 10000).",
      valueName: "count"
    )
  )
  package var maxItems: Int?

  @Option(
    help: ArgumentHelp(
      "Maximum bytes of an answer that is not streamed (default: 16777216).",
      valueName: "bytes"
    )
  )
  package var maxAnswerBytes: Int?

  @Option(
    help: ArgumentHelp("Maximum seconds of CPU time for an answer (default: 10).", valueName: "seconds")
  )
  package var maxCpuSeconds: Int?

  @Option(
    help: ArgumentHelp(
      "Maximum bytes of request bodies and answers in memory, over all connections (default: 268435456).",
      valueName: "bytes"
    )
  )
  package var maxBufferedBytes: Int?

  package init() {}
}

/// What the pages are made of: as `pricetag pages` has it.
package struct ServedPagesOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The storefronts that have pages: all, or some, as USA,JPN,… (default: all).",
      valueName: "all|ids"
    )
  )
  package var storefronts: String?

  @Option(
    help: ArgumentHelp(
      "The languages of pages: all that there are words in, each store's own, or some, as en,ja,… (default: all; store with --storefronts).",
      valueName: "all|store|tags"
    )
  )
  package var languages: String?

  @OptionGroup package var shop: ShopOptions

  package init() {}
}
