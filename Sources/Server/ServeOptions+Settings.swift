import PriceTagCommandLine
import PriceTagService

extension ListeningOptions {
  var flags: [ServiceSetting: String] {
    texts.merging(numbers.mapValues { $0.map(String.init) }) { $1 }.compactMapValues { $0 }
  }

  private var texts: [ServiceSetting: String?] {
    [
      .host: host, .adminHost: adminHost, .tlsCertificate: tlsCertificate, .tlsKey: tlsKey,
      .logLevel: logLevel,
      .logFormat: logFormat, .accessLog: accessLog, .corsOrigins: corsOrigins,
      .allowShrink: allowShrink ? "true" : nil,
    ]
  }

  private var numbers: [ServiceSetting: Int?] {
    [
      .port: port, .adminPort: adminPort, .maxAge: maxAge, .checkSeconds: checkSeconds,
      .settleSeconds: settleSeconds, .drainSeconds: drainSeconds, .stopSeconds: stopSeconds,
    ]
  }
}

extension LimitOptions {
  var flags: [ServiceSetting: String] {
    var flags = numbers.compactMapValues { $0.map(String.init) }
    flags[.trustedProxies] = trustedProxies
    flags[.limitLoopback] = limitLoopback ? "true" : nil
    return flags
  }

  private var numbers: [ServiceSetting: Int?] {
    [
      .maxConnections: maxConnections, .maxConnectionsPerClient: maxConnectionsPerClient,
      .requestsPerSecondPerClient: requestsPerSecondPerClient, .headSeconds: headSeconds,
      .idleSeconds: idleSeconds,
      .writeSeconds: writeSeconds, .maxHeadBytes: maxHeadBytes, .maxUrlBytes: maxUrlBytes,
      .maxBodyBytes: maxBodyBytes, .maxBatchBytes: maxBatchBytes, .minBodyRate: minBodyRate,
      .maxItems: maxItems, .maxAnswerBytes: maxAnswerBytes, .maxCpuSeconds: maxCpuSeconds,
      .maxBufferedBytes: maxBufferedBytes,
    ]
  }
}

extension ServedPagesOptions {
  var flags: [ServiceSetting: String] {
    [
      .storefronts: storefronts, .languages: languages, .shop: shop.shop, .logo: shop.logo, .url: shop.url,
      .checkout: shop.checkout, .theme: shop.theme.isEmpty ? nil : shop.theme.joined(separator: ","),
      .templates: shop.templates, .assets: shop.assets, .kernel: shop.kernel,
      .taxLabels: shop.taxLabels ? "true" : nil,
      .unitPrices: shop.unitPrices?.rawValue, .pageSize: shop.pageSize.map(String.init),
      .offers: shop.offers.isEmpty ? nil : shop.offers.joined(separator: ","),
      .strings: shop.strings, .contact: shop.contact, .imprint: shop.imprint, .privacy: shop.privacy,
      .terms: shop.terms,
      .announceIncreases: shop.announceIncreases ? "true" : nil,
      .hero: shop.hero, .priceDate: shop.priceDate ? "true" : nil,
    ].compactMapValues { $0 }
  }
}
