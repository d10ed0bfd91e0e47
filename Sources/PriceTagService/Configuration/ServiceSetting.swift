import PriceTagPages

/// A setting of a service. Each can be set by a flag, an environment variable, or a member of the configuration file.
///
///     ServiceSetting.maxBodyBytes.flag       // "--max-body-bytes"
///     ServiceSetting.maxBodyBytes.variable   // "PRICETAG_MAX_BODY_BYTES"
///     ServiceSetting.maxBodyBytes.rawValue   // "maxBodyBytes", in the file
public enum ServiceSetting: String, CaseIterable, Sendable {
  /// The catalog: a database that `pricetag import` wrote, or any file that `pricetag import` reads.
  case catalog
  /// The format of a catalog file that is not a database.
  case from
  /// The storefront of prices that do not name one.
  case pricesOf
  /// The storefront that the prices of a StoreKit configuration are read as, instead of the storefront the file names.
  case reinterpretAs
  /// The language of texts that do not name one.
  case textsIn
  /// The date that determines currencies and prices, or `today`.
  case at
  /// The address to listen on.
  case host
  /// The port to listen on; 0 for any free port.
  case port
  /// The address that the admin port listens on.
  case adminHost
  /// The port that serves `/metrics`, `/ready` and `/health` instead of the public port; 0 for any free port.
  case adminPort
  /// The PEM file of the certificate chain.
  case tlsCertificate
  /// The PEM file of the certificate's private key.
  case tlsKey
  /// The lowest level that is logged.
  case logLevel
  /// The format of the log: `text` or `json`.
  case logFormat
  /// The format of the access log: `json` or `common`. If it is not set, there is no access log.
  case accessLog
  /// The origins whose scripts may read responses; `*` for all.
  case corsOrigins
  /// The seconds for which HTTP caches may use a response without revalidation.
  case maxAge
  /// The seconds between checks of the catalog file; 0 for no checks.
  case checkSeconds
  /// The seconds for which the catalog file must stay unchanged before it is read.
  case settleSeconds
  /// Whether to serve a new catalog that has less than half of the products of the previous one.
  case allowShrink
  /// The seconds from the signal to stop, when `/ready` starts to fail, until the service stops accepting connections.
  case drainSeconds
  /// The seconds that requests may take when the service stops.
  case stopSeconds
  /// The maximum number of open connections.
  case maxConnections
  /// The maximum number of open connections of a client; 0 for no limit.
  case maxConnectionsPerClient
  /// The maximum number of requests of a client per second; 0 for no limit.
  case requestsPerSecondPerClient
  /// The proxies whose `X-Forwarded-For` names the client, as addresses and CIDR ranges.
  case trustedProxies
  /// Whether a loopback address is a client that shares work and memory with others, as other addresses are.
  case limitLoopback
  /// The seconds in which a complete request head must arrive.
  case headSeconds
  /// The seconds that a connection may be idle between requests.
  case idleSeconds
  /// The seconds for which a client may stop reading a response.
  case writeSeconds
  /// The maximum size of a request head in bytes.
  case maxHeadBytes
  /// The maximum size of a request target in bytes.
  case maxUrlBytes
  /// The maximum size of a request body in bytes.
  case maxBodyBytes
  /// The maximum size of a body of `/v1/batch` in bytes.
  case maxBatchBytes
  /// The minimum rate of a request body in bytes per second.
  case minBodyRate
  /// The maximum number of rows, messages or product identifiers in a request.
  case maxItems
  /// The maximum size in bytes of a response that is not streamed.
  case maxAnswerBytes
  /// The maximum CPU time in seconds for a response that is not streamed.
  case maxCpuSeconds
  /// The maximum number of bytes of request bodies and responses in memory, for all connections together.
  case maxBufferedBytes
  /// The storefronts that have pages.
  case storefronts
  /// The languages that storefronts have pages in: `all`, `store`, or a list.
  case languages
  /// The name of the shop.
  case shop
  /// The logo of the shop.
  case logo
  /// The URL of the pages, for search engines.
  case url
  /// The URL that the buy buttons link to.
  case checkout
  /// The colors of the pages.
  case theme
  /// The folder of the page templates.
  case templates
  /// The folder of the shop's asset files.
  case assets
  /// The folder of the kernel for browsers, which adds a field for the quantity to product pages.
  case kernel
  /// Whether pages state below each price whether it includes tax.
  case taxLabels
  /// The rounding mode of the unit prices that pages show below prices; without it, pages show none.
  case unitPrices
  /// The number of products on a page of a list.
  case pageSize
  /// The kinds of offers that pages show.
  case offers
  /// Whether pages announce increases of prices.
  case announceIncreases
  /// The product that is first and large on store pages.
  case hero
  /// Whether pages state the date of the prices.
  case priceDate
  /// The folder of the messages of the shop's own.
  case strings
  /// The contact in the footer of pages.
  case contact
  /// The URL of the legal notice.
  case imprint
  /// The URL of the privacy policy.
  case privacy
  /// The URL of the terms of use.
  case terms

  /// The type of a setting's value.
  enum Kind {
    case text
    /// An integer with its range and default.
    case number(ClosedRange<Int>, default: Int)
    /// Comma-separated texts; an array in the configuration file.
    case list
    /// A Boolean; false by default.
    case flag
  }

  var kind: Kind {
    switch self {
    case .catalog, .from, .pricesOf, .reinterpretAs, .textsIn, .at: .text
    case .host, .tlsCertificate, .tlsKey, .logLevel, .logFormat: .text
    case .adminHost, .accessLog: .text
    case .shop, .logo, .url, .checkout, .templates, .assets, .kernel, .unitPrices: .text
    case .hero, .strings, .contact, .imprint, .privacy, .terms: .text
    case .corsOrigins, .storefronts, .languages, .theme, .trustedProxies, .offers: .list
    case .allowShrink, .limitLoopback, .taxLabels, .announceIncreases, .priceDate: .flag
    case .port: .number(0...65535, default: 8080)
    // Not used: by default there is no admin port.
    case .adminPort: .number(0...65535, default: 0)
    case .settleSeconds: .number(0...3600, default: 2)
    case .maxConnectionsPerClient: .number(0...1_000_000, default: 0)
    case .requestsPerSecondPerClient: .number(0...1_000_000, default: 0)
    case .maxAge: .number(0...31_536_000, default: 0)
    case .checkSeconds: .number(0...86_400, default: 1)
    case .drainSeconds: .number(0...300, default: 0)
    case .stopSeconds: .number(1...3600, default: 9)
    case .maxConnections: .number(1...1_000_000, default: 10_000)
    case .headSeconds: .number(1...3600, default: 10)
    case .idleSeconds: .number(1...86_400, default: 60)
    case .writeSeconds: .number(1...3600, default: 30)
    case .maxHeadBytes: .number(1024...1 << 20, default: 16 << 10)
    case .maxUrlBytes: .number(256...1 << 19, default: 8 << 10)
    case .maxBodyBytes: .number(1024...1 << 30, default: 1 << 20)
    case .maxBatchBytes: .number(1024...1 << 40, default: 1 << 30)
    case .minBodyRate: .number(1...1 << 20, default: 500)
    case .maxItems: .number(1...10_000_000, default: 10_000)
    case .maxAnswerBytes: .number(1024...1 << 40, default: 16 << 20)
    case .maxCpuSeconds: .number(1...3600, default: 10)
    case .pageSize: .number(Shop.allowedProductsPerPage, default: Shop.defaultProductsPerPage)
    case .maxBufferedBytes: .number(1 << 20...1 << 40, default: 256 << 20)
    }
  }

  /// Returns the name in lower case with a separator between its words.
  private func words(separator: String) -> String {
    rawValue.map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
  }

  /// The flag on the command line, such as `--max-body-bytes`; `the catalog` for ``catalog``, which is an argument.
  public var flag: String { self == .catalog ? "the catalog" : "--\(words(separator: "-"))" }

  /// The environment variable, such as `PRICETAG_MAX_BODY_BYTES`.
  public var variable: String { "PRICETAG_\(words(separator: "_").uppercased())" }
}
