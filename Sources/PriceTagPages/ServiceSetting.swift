/// A setting of a service. Each can be set by a flag, an environment variable, or a member of the configuration file.
///
///     ServiceSetting.maxBodyBytes.flag       // "--max-body-bytes"
///     ServiceSetting.maxBodyBytes.variable   // "PRICETAG_MAX_BODY_BYTES"
///     ServiceSetting.maxBodyBytes.rawValue   // "maxBodyBytes", in the file
///
/// The options of `serve` and `pages`, the readers of variables and of the file, and the defaults of a service follow from
/// this definition. It is in this module because the command has no network stack, and the service no command line.
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
  /// The day that determines currencies and prices: a date, an instant, or `today`.
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
  /// Whether prices include tax, of products that do not state it: `true`, `false`, or `unknown`.
  case taxIncluded
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
  package enum Kind {
    case text
    /// An integer with its range and its default, if it has one.
    case number(ClosedRange<Int>, default: Int?)
    /// Comma-separated texts; an array in the configuration file.
    case list
    /// A Boolean; false by default.
    case flag
  }

  /// The type, with range and default.
  package var kind: Kind {
    switch self {
    case .corsOrigins, .storefronts, .languages, .theme, .trustedProxies, .offers: .list
    case .allowShrink, .limitLoopback, .taxLabels, .announceIncreases, .priceDate: .flag
    case .port: .number(0...65535, default: 8080)
    case .adminPort: .number(0...65535, default: nil)
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
    default: .text
    }
  }

  /// The default of an integer setting; 0 if it has none.
  package var defaultNumber: Int { if case .number(_, let number?) = kind { number } else { 0 } }

  /// The help text of the option.
  package var help: String {
    guard case .number(_, let number?) = kind else { return text }
    return "\(text.dropLast()) (default: \(number))."
  }

  /// The help text, without the default of an integer.
  private var text: String {
    switch self {
    case .catalog: "The catalog: a database of pricetag import, or any file that pricetag import reads."
    case .from: "The format of the files (default: detected from name and contents)."
    case .pricesOf:
      "The storefront of prices in files that name no storefront. Prices of a file that names another one are rejected."
    case .reinterpretAs:
      "The storefront as which to read the prices of a StoreKit configuration, instead of the one that the file names."
    case .textsIn: "The language of texts in files that name no language, such as Stripe's."
    case .at:
      "The day of the currencies and prices: a date in every storefront, an instant such as 2026-11-30T12:00Z, at which each storefront has its own date, or today (default: SOURCE_DATE_EPOCH, else now; for check, the day of the golden file or pack; for serve, the instant of each request)."
    case .host: "The IP address to listen on (default: 127.0.0.1, for a service behind a proxy)."
    case .port: "The port to listen on; 0 for any free port."
    case .adminHost: "The IP address to listen on for --admin-port (default: 127.0.0.1)."
    case .adminPort:
      "The port of /metrics, /ready and /health, without TLS; 0 for any free port (default: the port of --port)."
    case .tlsCertificate: "The certificate chain, PEM. With it, the service uses HTTPS instead of HTTP."
    case .tlsKey: "The private key of the certificate, PEM."
    case .logLevel:
      "The minimum level to log: trace, debug (with a line for each request), info, notice, warning or error (default: info)."
    case .logFormat: "The format of the log on standard error: text or json (default: text)."
    case .accessLog:
      "Log each request to standard error, at the level info: json, or common for the Combined Log Format with milliseconds, request and trace identifiers (default: no access log)."
    case .corsOrigins:
      "The origins whose scripts may read responses, as https://shop.example,…; * for all (default: none)."
    case .maxAge: "The time in seconds that caches may reuse a response without a request to the service."
    case .checkSeconds: "The time in seconds between checks of the catalog file for changes; 0 for no checks."
    case .settleSeconds:
      "The time in seconds that the catalog file must stay unchanged before it is read; 0 to read it at once."
    case .allowShrink: "Accept a new catalog that has less than half of the products of the current one."
    case .drainSeconds:
      "The time in seconds between the moment /ready reports that the service stops and the moment it refuses connections."
    case .stopSeconds: "The time in seconds that requests have to finish when the service stops."
    case .maxConnections:
      "The maximum number of open connections; beyond it, the one idle longest is closed for a new one."
    case .maxConnectionsPerClient:
      "The maximum number of open connections per client (an IPv4 address or an IPv6 /64); 0 for no limit."
    case .requestsPerSecondPerClient: "The maximum number of requests per client and second; 0 for no limit."
    case .trustedProxies:
      "The proxies whose X-Forwarded-For names the client, as 10.0.0.0/8,::1,… (default: none)."
    case .limitLoopback:
      "Treat each loopback address as a client that shares work and memory with others; by default, each connection from one is a client."
    case .headSeconds: "The time in seconds in which a complete request head must arrive."
    case .idleSeconds: "The time in seconds that a connection may be idle between requests."
    case .writeSeconds: "The time in seconds that a client may read no byte of a response."
    case .maxHeadBytes: "The maximum size of a request head in bytes."
    case .maxUrlBytes: "The maximum size of a URL in bytes."
    case .maxBodyBytes: "The maximum size of a request body in bytes."
    case .maxBatchBytes: "The maximum size of a request body of /v1/batch in bytes."
    case .minBodyRate: "The minimum rate of a request body in bytes per second."
    case .maxItems: "The maximum number of rows, messages or identifiers in a request."
    case .maxAnswerBytes: "The maximum size in bytes of a response that is not streamed."
    case .maxCpuSeconds: "The maximum CPU time of a response in seconds."
    case .maxBufferedBytes:
      "The maximum number of bytes of request bodies and responses in memory, over all connections."
    case .storefronts: "The storefronts that have pages: all, or a list such as USA,JPN (default: all)."
    case .languages:
      "The languages of pages: store for the languages of each store, all for every UI language, or a list such as en,ja (default: all; with --storefronts, store)."
    case .shop: "The name of the shop (default: the word for a store in the page's language)."
    case .logo: "The logo of the shop: a URL, or a path in the site (default: none)."
    case .url: "The URL of the site. Canonical URLs and sitemap.xml need it (default: none)."
    case .checkout:
      "The URL of the buy buttons, with {product}, {storefront}, {language} and {quantity} in it (default: none; a script of the shop handles the buttons)."
    case .theme:
      "Colors of the pages, as name=#rrggbb,…: \(Theme.Role.allCases.map(\.rawValue).joined(separator: ", ")); the prefix dark- sets them for dark mode."
    case .templates: "A folder of Mustache templates that replace the embedded templates."
    case .assets: "A folder of files to copy into the site, such as pictures."
    case .kernel:
      "The folder with the kernel for browsers, from make kernel or make install: product pages get a field for the quantity, whose total the browser computes (default: none)."
    case .taxLabels:
      "State below each price whether it includes tax, where this is known (default: off)."
    case .taxIncluded:
      "Whether prices of products that do not state it include tax: true, false, or unknown (default: what is usual in the storefront)."
    case .unitPrices:
      "Show the price per unit of a product's content below its price, rounded by this mode (default: no unit prices)."
    case .pageSize:
      "The number of products on a page of a list, from 4 to 500. A store with more products has pages for its categories, and a search."
    case .offers:
      "The offers that pages show, with whom they are for: introductory, promotional, win-back, separated by commas, or none (default: introductory)."
    case .announceIncreases:
      "Announce scheduled increases of prices, on pages and to search engines (default: off)."
    case .hero:
      "The product that is first and large on store pages, in stores that sell it and show all products on one page (default: the first product that costs something)."
    case .priceDate:
      "State the date of the prices in the footer of pages, which then change every day (default: off)."
    case .strings:
      "A folder of messages of the shop's own for templates, as en-US.json, de.json, … (default: none)."
    case .contact: "The contact in the footer of pages: a web, mailto: or tel: address (default: none)."
    case .imprint: "The URL of the legal notice in the footer of pages (default: none)."
    case .privacy: "The URL of the privacy policy in the footer of pages (default: none)."
    case .terms: "The URL of the terms of use in the footer of pages (default: none)."
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
