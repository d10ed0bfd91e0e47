/// What can be set of a service, by flag, environment variable and configuration file alike.
///
///     ServiceSetting.maxBodyBytes.flag       // "--max-body-bytes"
///     ServiceSetting.maxBodyBytes.variable   // "PRICETAG_MAX_BODY_BYTES"
///     ServiceSetting.maxBodyBytes.rawValue   // "maxBodyBytes", in the file
public enum ServiceSetting: String, CaseIterable, Sendable {
  /// The catalogue: a database of `pricetag import`'s, or any file that it reads.
  case catalog
  /// The format of a catalogue that is no database.
  case from
  /// Whose prices those are that name no storefront.
  case pricesOf
  /// The storefront that a StoreKit configuration's prices are read as, whatever storefront the file names.
  case reinterpretAs
  /// The language of texts that name none.
  case textsIn
  /// The day whose currencies and prices hold, or today.
  case at
  /// The address to listen at.
  case host
  /// The port to listen at; 0 for any that is free.
  case port
  /// The address that the admin port listens at.
  case adminHost
  /// The port that `/metrics`, `/ready` and `/health` move to; 0 for any that is free.
  case adminPort
  /// The file of the certificate chain, PEM.
  case tlsCertificate
  /// The file of its private key, PEM.
  case tlsKey
  /// The least level that is logged.
  case logLevel
  /// How a line of the log is written: text or json.
  case logFormat
  /// How the access log is written: json or common. Without it there is no access log.
  case accessLog
  /// The origins whose scripts may read answers; `*` for all.
  case corsOrigins
  /// The seconds that caches may answer in place of the service.
  case maxAge
  /// The seconds between looks at the catalogue's file; 0 for none.
  case checkSeconds
  /// The seconds for which the catalog's file must stay unchanged before it is read.
  case settleSeconds
  /// Whether a catalog is served that has less than half of the products of the one before.
  case allowShrink
  /// The seconds that `/ready` says that the service stops before it takes no more connections.
  case drainSeconds
  /// The seconds that requests have to finish when the service stops.
  case stopSeconds
  /// The most connections at a time.
  case maxConnections
  /// The most connections of a client at a time; 0 for no limit.
  case maxConnectionsPerClient
  /// The most requests of a client in a second; 0 for no limit.
  case requestsPerSecondPerClient
  /// The proxies whose `X-Forwarded-For` names the client, as addresses and CIDR ranges.
  case trustedProxies
  /// The seconds that a whole request head has to arrive.
  case headSeconds
  /// The seconds that a connection may be idle between requests.
  case idleSeconds
  /// The seconds that a client may take nothing of an answer.
  case writeSeconds
  /// The most bytes of a request head.
  case maxHeadBytes
  /// The most bytes of an address.
  case maxUrlBytes
  /// The most bytes of a body.
  case maxBodyBytes
  /// The most bytes of a body of `/v1/batch`.
  case maxBatchBytes
  /// The least bytes per second of a body that is awaited.
  case minBodyRate
  /// The most rows, messages or identifiers of a request.
  case maxItems
  /// The most bytes of an answer that is not streamed.
  case maxAnswerBytes
  /// The most seconds of CPU time that an answer takes.
  case maxCpuSeconds
  /// The most bytes of request bodies and answers that are in memory at a time, over all connections.
  case maxBufferedBytes
  /// The storefronts that have pages.
  case storefronts
  /// The languages that storefronts have pages in: all, store, or some.
  case languages
  /// What the shop is called.
  case shop
  /// Its logo.
  case logo
  /// Where the pages are served, for search engines.
  case url
  /// Where the buttons lead.
  case checkout
  /// The colours of the pages.
  case theme
  /// A folder of templates.
  case templates
  /// A folder of the shop's own files.
  case assets

  /// What a value is.
  enum Kind {
    case text
    /// A whole number, with its range and what it is where nothing is set.
    case number(ClosedRange<Int>, default: Int)
    /// Texts with commas between them; in the file an array.
    case list
    /// True or false; false where nothing is set.
    case flag
  }

  var kind: Kind {
    switch self {
    case .catalog, .from, .pricesOf, .reinterpretAs, .textsIn, .at: .text
    case .host, .tlsCertificate, .tlsKey, .logLevel, .logFormat: .text
    case .adminHost, .accessLog: .text
    case .shop, .logo, .url, .checkout, .templates, .assets: .text
    case .corsOrigins, .storefronts, .languages, .theme, .trustedProxies: .list
    case .allowShrink: .flag
    case .port: .number(0...65535, default: 8080)
    // The default is no admin port at all.
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
    case .maxBufferedBytes: .number(1 << 20...1 << 40, default: 256 << 20)
    }
  }

  /// The name with a mark between its words.
  private func words(_ mark: String) -> String {
    rawValue.map { $0.isUppercase ? mark + $0.lowercased() : String($0) }.joined()
  }

  /// The name on a command line; the catalogue has none there, for it is the argument.
  public var flag: String { self == .catalog ? "the catalogue" : "--\(words("-"))" }

  /// The name in the environment.
  public var variable: String { "PRICETAG_\(words("_").uppercased())" }
}
