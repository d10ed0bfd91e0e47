import PriceTag
import PriceTagStrings
import Testing

@Suite struct PaymentTextTests {
  private let strings = StoreStrings.embedded

  static let labels: [(storefront: String, language: String, label: String?)] = [
    ("DEU", "en-US", "incl. VAT"), ("DEU", "de", "inkl. MwSt."), ("FRA", "fr-FR", "TTC"),
    ("ESP", "es-ES", "IVA incluido"), ("ITA", "it", "IVA inclusa"), ("NLD", "nl", "incl. btw"),
    ("POL", "pl", "z VAT"), ("SWE", "sv", "inkl. moms"), ("GRC", "el", "με ΦΠΑ"),
    ("GBR", "en-GB", "incl. VAT"), ("KOR", "ko", "부가세 포함"), ("TUR", "tr", "KDV dahil"),
    ("ISR", "he", "כולל מע״מ"), ("SAU", "ar", "شامل ضريبة القيمة المضافة"),
    ("AUS", "en-AU", "incl. GST"), ("AUS", "de", "inkl. GST"), ("IND", "hi", "जीएसटी सहित"),
    ("SGP", "zh-Hans", "含商品及服务税"),
    ("JPN", "ja", "税込"), ("JPN", "en-US", "incl. tax"), ("BRA", "pt-BR", "impostos incluídos"),
    ("USA", "en-US", "plus tax"), ("USA", "de", "zzgl. Steuern"), ("CAN", "fr-CA", "taxes en sus"),
    ("USA", "es-MX", "más impuestos"), ("USA", "ja", "税別"),
    ("AFG", "en-US", nil), ("CHN", "zh-Hans", nil),
  ]

  @Test(arguments: labels)
  func returnsTaxLabel(storefront: String, language: String, label: String?) throws {
    let found = try strings.taxLabel(for: Storefront(storefront), in: UILanguage(language))
    #expect(found?.plain == label)
  }

  static let statedLabels: [(storefront: String, language: String, stated: TaxInclusion, label: String?)] = [
    ("SWE", "sv", .excluded, "exkl. moms"), ("SWE", "sv", .included, "inkl. moms"),
    ("SWE", "sv", .unknown, nil),
    ("DEU", "de", .excluded, "zzgl. MwSt."), ("FRA", "fr-FR", .excluded, "HT"),
    ("AUS", "en-AU", .excluded, "plus GST"), ("JPN", "ja", .excluded, "税別"),
    ("USA", "en-US", .included, "incl. tax"), ("USA", "en-US", .excluded, "plus tax"),
    ("USA", "en-US", .unknown, nil), ("AFG", "en-US", .included, "incl. tax"),
    ("AFG", "en-US", .excluded, "plus tax"), ("AFG", "en-US", .unknown, nil),
  ]

  /// The storefront determines which tax it is, also where something else is stated about its prices.
  @Test(arguments: statedLabels)
  func returnsStatedTaxLabel(storefront: String, language: String, stated: TaxInclusion, label: String?)
    throws
  {
    let found = try strings.taxLabel(for: Storefront(storefront), in: UILanguage(language), stated: stated)
    #expect(found?.plain == label)
  }

  @Test func statedLabelsDifferInAllLanguages() throws {
    for language in strings.languages {
      var labels: Set<String?> = []
      for (storefront, stated) in ["JPN", "DEU", "AUS"].flatMap({ id in
        [TaxInclusion.included, .excluded].map { (id, $0) }
      }) {
        let label = try strings.taxLabel(for: Storefront(storefront), in: language, stated: stated)
        labels.insert(label?.plain)
      }
      #expect(labels.count == 6, "\(language): \(labels)")
    }
  }

  /// Each language distinguishes prices with and without tax, and names the taxes.
  @Test func labelsDifferInAllLanguages() throws {
    for language in strings.languages {
      let labels = try ["JPN", "DEU", "AUS", "USA"].map {
        try strings.taxLabel(for: Storefront($0), in: language)?.plain
      }
      #expect(labels.allSatisfy { $0?.isEmpty == false }, "\(language)")
      #expect(Set(labels).count == 4, "\(language): \(labels)")
    }
  }

  /// The label of a tax fits the sentences that contain it.
  @Test(arguments: [
    ("FRA", "fr-FR", "Tous les prix\u{A0}: TTC"), ("JPN", "fr-FR", "Tous les prix\u{A0}: taxes comprises"),
    ("USA", "fr-FR", "Tous les prix\u{A0}: hors taxes"), ("FRA", "fr-CA", "Tous les prix\u{A0}: TVA incluse"),
    ("DEU", "de", "Alle Preise: inkl. MwSt."), ("DEU", "en-US", "All prices: incl. VAT"),
  ])
  func placesTaxLabelInNote(storefront: String, language: String, note: String) throws {
    let language = try UILanguage(language)
    let label = try #require(try strings.taxLabel(for: Storefront(storefront), in: language))
    #expect(try strings.format("tax_note", in: language, ["tax": .message(label)]).plain == note)
  }

  /// A payment that was not returned is not called revoked: its state names the access.
  static let states: [(language: String, key: String, text: String)] = [
    ("en-US", "receipt_state_revoked", "Access revoked"), ("fr-FR", "receipt_state_revoked", "Accès révoqué"),
    ("fr-CA", "receipt_state_revoked", "Accès révoqué"),
    ("es-ES", "receipt_state_revoked", "Acceso revocado"),
    ("es-MX", "receipt_state_revoked", "Acceso revocado"),
    ("it", "receipt_state_revoked", "Accesso revocato"),
    ("pt-BR", "receipt_state_revoked", "Acesso revogado"),
    ("de", "receipt_state_revoked", "Zugriff entzogen"),
    ("ja", "receipt_state_pending", "お支払い待ち"),
  ]

  @Test(arguments: states)
  func namesStatesOfPayments(language: String, key: String, text: String) throws {
    #expect(try strings.format(key, in: UILanguage(language)).plain == text)
  }

  /// The words around prices are those that large shops use in the language.
  static let words: [(language: String, key: String, text: String)] = [
    ("de", "receipt_billed_to", "Rechnungsempfänger"), ("de", "filter", "Filtern"), ("ja", "saving", "割引"),
    ("ja", "minimum_price", "下限価格"), ("ja", "maximum_price", "上限価格"),
    ("ja", "page_not_found_reason", "アドレスが間違っているか、ページが存在しません。"),
    ("ru", "receipt", "Квитанция"), ("ru", "subscribe_for_price", "Оформить подписку за $4.99"),
  ]

  @Test(arguments: words)
  func usesWordsOfShops(language: String, key: String, text: String) throws {
    let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
    let arguments: MessageArguments = text.contains(price.text) ? ["price": .price(price)] : [:]
    #expect(try strings.format(key, in: UILanguage(language), arguments).plain == text)
  }

  static let pieces: [(count: Int, language: String, text: String)] = [
    (1, "en-US", "$0.50 per piece"), (1, "en-GB", "$0.50 each"), (1, "de", "$0.50 pro Stück"),
    (1, "fr-FR", "$0.50 l’unité"), (1, "ja", "1個あたり$0.50"), (1, "fi", "$0.50 kappaleelta"),
    (100, "en-US", "$0.50 per 100 pieces"), (100, "de", "$0.50 pro 100 Stück"),
    (10, "fr-FR", "$0.50 les 10 unités"), (100, "ja", "100個あたり$0.50"), (10, "pl", "$0.50 za 10 sztuk"),
    (1000, "en-US", "$0.50 per 1,000 pieces"), (100, "ro", "$0.50 pentru 100 de bucăți"),
    (50, "uk", "$0.50 за 50 штук"), (10, "bn", "প্রতি ১০ পিস $0.50"), (100, "tr", "100 adedi $0.50"),
  ]

  @Test(arguments: pieces)
  func formatsPricePerPiece(count: Int, language: String, text: String) throws {
    let price = try PriceFormatter(storefront: Storefront("USA")).format("0.50")
    let message = try strings.pricePerPiece(price, count: count, in: UILanguage(language))
    #expect(message.plain == text)
  }

  /// A text has its price once, and all numbers of pieces that a reference can have except one.
  @Test func pricesPerPieceStateNumberInAllLanguages() throws {
    let price = try PriceFormatter(storefront: Storefront("USA")).format("0.50")
    for language in strings.languages {
      for count in UnitPriceReference.quantities {
        let text = try strings.pricePerPiece(price, count: count, in: language).plain
        #expect(text.ranges(of: "$0.50").count == 1, "\(language): \(text)")
        let number = try Message("{n, plural, other {#}}", language: language).format(["n": .count(of: count)]
        )
        #expect(text.contains(number.plain) || count == 1, "\(language): \(text)")
      }
    }
  }

  static let texts: [(storefront: String, amount: Amount, count: Int, language: String, text: String)] = [
    ("USA", 100, 4, "en-US", "4 payments of $25.00"), ("USA", 100, 1, "en-US", "1 payment of $100.00"),
    ("USA", "0.03", 2, "en-US", "1 payment of $0.02 and a last one of $0.01"),
    ("DEU", 100, 6, "en-US", "5 payments of 16,67\u{A0}€ and a last one of 16,65\u{A0}€"),
    ("DEU", 100, 6, "de", "5 Raten zu 16,67\u{A0}€ und eine letzte zu 16,65\u{A0}€"),
    ("DEU", 100, 4, "de", "4 Raten zu 25,00\u{A0}€"),
    ("FRA", 100, 3, "fr-FR", "2 paiements de 33,33\u{A0}€ et un dernier de 33,34\u{A0}€"),
    ("JPN", 1000, 3, "ja", "￥333×2回払い＋最終回￥334"), ("USA", 100, 4, "pl", "4 raty po $25.00"),
    ("USA", 100, 5, "pl", "5 rat po $20.00"), ("USA", 100, 2, "ru", "2 платежа по $50.00"),
    ("USA", 100, 2, "he", "שני תשלומים של $50.00"), ("USA", 100, 10, "zh-Hans", "分10期支付，每期$10.00"),
  ]

  @Test(arguments: texts)
  func formatsInstallments(storefront: String, amount: Amount, count: Int, language: String, text: String)
    throws
  {
    let price = try PriceFormatter(storefront: Storefront(storefront)).format(amount)
    let message = try strings.installments(
      of: price,
      count: count,
      rounding: .halfUp,
      in: UILanguage(language)
    )
    #expect(message.plain == text)
  }

  @Test func formatsCalculations() throws {
    let price = try PriceFormatter(storefront: Storefront("DEU")).format(100)
    func text(_ count: Int, _ rounding: RoundingMode) throws -> String {
      try strings.installmentCalculation(of: price, count: count, rounding: rounding, in: .development).plain
    }
    #expect(try text(4, .exact) == "4 × 25,00\u{A0}€")
    #expect(try text(6, .up) == "5 × 16,67\u{A0}€ + 16,65\u{A0}€")
    #expect(try text(6, .down) == "5 × 16,66\u{A0}€ + 16,70\u{A0}€")
    for (count, code) in [(6, "needs rounding"), (0, "no payments")] {
      let error = #expect(throws: StringsError.self, "\(code)") { try text(count, .exact) }
      #expect(error?.code == .invalidArgument)
    }
  }

  /// In all languages and plural categories, the texts contain the payments unchanged.
  @Test func preservesPaymentsInAllLanguages() throws {
    let price = try PriceFormatter(storefront: Storefront("USA")).format(100)
    for language in strings.languages {
      for count in [1, 2, 3, 4, 6, 7, 12, 22, 101] {
        let payments = try price.installments(count, rounding: .halfUp)
        let text = try strings.installments(of: price, count: count, rounding: .halfUp, in: language).isolated
        #expect(text.contains(payments.payment.isolated), "\(language): \(text)")
        #expect(
          text.contains(payments.lastPayment.isolated) && !text.contains("{") && !text.contains("#"),
          "\(language): \(text)"
        )
      }
    }
  }
}
