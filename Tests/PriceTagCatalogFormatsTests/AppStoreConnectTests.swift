import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

private let options: ImportOptions = {
  var options = ImportOptions()
  if let date = try? CalendarDate("2026-02-01") { options.date = date }
  return options
}()

private func read(_ text: String) -> Imported { Imported(.appStoreConnect, text, options) }

/// What was read and set aside, as lines.
private func lines(_ text: String) -> [String] {
  let read = read(text)
  return (read.failure.map { ["failure: \($0)"] } ?? [])
    + read.groups.map { group in
      "group \(group.identifier)" + group.names.sorted { $0.key < $1.key }.map { " \($0): \($1)" }.joined()
    } + read.products.flatMap(\.lines) + read.setAside.map { "aside: \($0)" }
}

@Suite struct AppStoreConnectTests {
  @Test func oneResponseSaysAllOfAnInAppPurchase() {
    let found = lines(
      #"""
      {"data": {"type": "inAppPurchases", "id": "1",
        "attributes": {"name": "Level 1", "productId": "com.example.level1", "inAppPurchaseType": "CONSUMABLE", "state": "APPROVED"},
        "relationships": {
          "inAppPurchaseLocalizations": {"data": [{"type": "inAppPurchaseLocalizations", "id": "l1"}]},
          "iapPriceSchedule": {"data": {"type": "inAppPurchasePriceSchedules", "id": "1"}},
          "inAppPurchaseAvailability": {"data": {"type": "inAppPurchaseAvailabilities", "id": "1"}},
          "content": {"links": {"self": "https://api.example.com/v2/inAppPurchases/1/relationships/content"}}}},
       "included": [
        {"type": "inAppPurchaseLocalizations", "id": "l1", "attributes": {"locale": "en-US", "name": "One", "description": "The first"}},
        {"type": "inAppPurchasePriceSchedules", "id": "1", "relationships": {
          "manualPrices": {"data": [{"type": "inAppPurchasePrices", "id": "p1"}, {"type": "inAppPurchasePrices", "id": "p2"}]},
          "automaticPrices": {"data": [{"type": "inAppPurchasePrices", "id": "p3"}]}}},
        {"type": "inAppPurchasePrices", "id": "p1", "attributes": {"startDate": null, "endDate": "2026-03-01", "manual": true},
         "relationships": {"inAppPurchasePricePoint": {"data": {"type": "inAppPurchasePricePoints", "id": "pp1"}},
                           "territory": {"data": {"type": "territories", "id": "USA"}}}},
        {"type": "inAppPurchasePrices", "id": "p2", "attributes": {"startDate": "2026-03-01", "endDate": null, "manual": true},
         "relationships": {"inAppPurchasePricePoint": {"data": {"type": "inAppPurchasePricePoints", "id": "pp2"}},
                           "territory": {"data": {"type": "territories", "id": "USA"}}}},
        {"type": "inAppPurchasePrices", "id": "p3", "attributes": {},
         "relationships": {"inAppPurchasePricePoint": {"data": {"type": "inAppPurchasePricePoints", "id": "pp3"}}}},
        {"type": "inAppPurchasePricePoints", "id": "pp1", "attributes": {"customerPrice": "0.99", "proceeds": "0.7"}},
        {"type": "inAppPurchasePricePoints", "id": "pp2", "attributes": {"customerPrice": "1.5"}},
        {"type": "inAppPurchasePricePoints", "id": "pp3", "attributes": {"customerPrice": "160.0"},
         "relationships": {"territory": {"data": {"type": "territories", "id": "JPN"}}}},
        {"type": "territories", "id": "USA", "attributes": {"currency": "USD"}},
        {"type": "territories", "id": "JPN", "attributes": {"currency": "JPY"}},
        {"type": "inAppPurchaseAvailabilities", "id": "1", "attributes": {"availableInNewTerritories": true},
         "relationships": {"availableTerritories": {"meta": {"paging": {"total": 2, "limit": 50}},
           "data": [{"type": "territories", "id": "USA"}, {"type": "territories", "id": "JPN"}]}}},
        {"type": "inAppPurchaseAppStoreReviewScreenshots", "id": "s", "attributes": {"fileSize": 12}}],
       "links": {"self": "https://api.example.com/v2/inAppPurchases/1"}}
      """#
    )
    #expect(
      found == [
        #"com.example.level1, consumable, "Level 1", approved, sold in [JPN USA]"#,
        "en-US: One | The first", "JPN 160 JPY", "USA 0.99 USD until 2026-02-28",
        "USA 1.50 USD from 2026-03-01",
      ]
    )
  }

  /// As the API is asked: a list of products, and the prices of each in a response of their own.
  @Test func responsesArePutTogetherByTheirLinks() {
    let found = lines(
      #"""
      [{"data": [
         {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "com.example.level1", "state": "IN_REVIEW"}},
         {"type": "inAppPurchases", "id": "2", "attributes": {"productId": "com.example.level2", "state": "APPROVED"}}],
        "links": {"self": "https://api.example.com/v1/apps/9/inAppPurchasesV2"}},
       {"data": [
         {"type": "inAppPurchasePrices", "id": "a", "attributes": {"startDate": null},
          "relationships": {"inAppPurchasePricePoint": {"data": {"type": "inAppPurchasePricePoints", "id": "x"}},
                            "territory": {"data": {"type": "territories", "id": "USA"}}}}],
        "included": [{"type": "inAppPurchasePricePoints", "id": "x", "attributes": {"customerPrice": "0.99"}}],
        "links": {"self": "https://api.example.com/v1/inAppPurchasePriceSchedules/1/manualPrices?include=territory"}},
       {"data": [
         {"type": "inAppPurchasePrices", "id": "b",
          "relationships": {"inAppPurchasePricePoint": {"data": {"type": "inAppPurchasePricePoints", "id": "y"}},
                            "territory": {"data": {"type": "territories", "id": "KWT"}}}}],
        "included": [{"type": "inAppPurchasePricePoints", "id": "y", "attributes": {"customerPrice": "1.09"}}],
        "links": {"self": "/v1/inAppPurchasePriceSchedules/1/automaticPrices", "next": "/v1/inAppPurchasePriceSchedules/1/automaticPrices?cursor=AQ.x&limit=1"}},
       {"data": [], "links": {"self": "/v1/inAppPurchasePriceSchedules/1/automaticPrices?limit=1&cursor=AQ.x"}},
       {"data": [{"type": "inAppPurchaseLocalizations", "id": "l", "attributes": {"locale": "he", "name": "שלב 2"}}],
        "links": {"self": "/v2/inAppPurchases/2/inAppPurchaseLocalizations"}}]
      """#
    )
    #expect(
      found == [
        "com.example.level1, not approved", "KWT 1.09 USD", "USA 0.99 USD",
        "com.example.level2, approved", "he: שלב 2 | -",
      ]
    )
  }

  @Test func aSubscriptionWithItsGroupPricesAndOffers() {
    func price(_ id: String, _ territory: String, _ point: String, _ attributes: String) -> String {
      """
      {"type": "subscriptionPrices", "id": "\(id)", "attributes": {\(attributes)}, "relationships": {
        "territory": {"data": {"type": "territories", "id": "\(territory)"}},
        "subscriptionPricePoint": {"data": {"type": "subscriptionPricePoints", "id": "\(point)"}}}}
      """
    }
    func introductory(_ id: String, _ territory: String, _ point: String?, _ attributes: String) -> String {
      let point =
        point.map {
          #", "subscriptionPricePoint": {"data": {"type": "subscriptionPricePoints", "id": "\#($0)"}}"#
        } ?? ""
      return """
        {"type": "subscriptionIntroductoryOffers", "id": "\(id)", "attributes": {\(attributes)}, "relationships": {
          "subscription": {"data": {"type": "subscriptions", "id": "7"}},
          "territory": {"data": {"type": "territories", "id": "\(territory)"}}\(point)}}
        """
    }
    let trial =
      #""offerMode": "FREE_TRIAL", "duration": "TWO_WEEKS", "numberOfPeriods": 1, "endDate": "2026-07-01""#
    let paid = #""offerMode": "PAY_AS_YOU_GO", "duration": "ONE_MONTH", "numberOfPeriods": 3"#
    let found = lines(
      """
      [{"data": {"type": "subscriptionGroups", "id": "5", "attributes": {"referenceName": "Garage"}, "relationships": {
          "subscriptions": {"data": [{"type": "subscriptions", "id": "7"}]}}},
        "included": [
          {"type": "subscriptions", "id": "7", "attributes": {"name": "Monthly", "productId": "com.example.monthly",
            "subscriptionPeriod": "ONE_MONTH", "groupLevel": 2, "state": "WAITING_FOR_REVIEW"},
           "relationships": {"promotionalOffers": {"data": [{"type": "subscriptionPromotionalOffers", "id": "o"}]},
                             "winBackOffers": {"data": []}}},
          {"type": "subscriptionGroupLocalizations", "id": "gl", "attributes": {"locale": "de-DE", "name": "Werkstatt"},
           "relationships": {"subscriptionGroup": {"data": {"type": "subscriptionGroups", "id": "5"}}}},
          {"type": "subscriptionLocalizations", "id": "sl1", "attributes": {"locale": "en-US", "name": "New", "state": "PREPARE_FOR_SUBMISSION"},
           "relationships": {"subscription": {"data": {"type": "subscriptions", "id": "7"}}}},
          {"type": "subscriptionLocalizations", "id": "sl2", "attributes": {"locale": "en_US", "name": "Live", "state": "APPROVED"},
           "relationships": {"subscription": {"data": {"type": "subscriptions", "id": "7"}}}},
          {"type": "subscriptionPromotionalOffers", "id": "o", "attributes": {"name": "Come on", "offerCode": "come.on",
            "offerMode": "PAY_UP_FRONT", "duration": "SIX_MONTHS", "numberOfPeriods": 1},
           "relationships": {"prices": {"data": [{"type": "subscriptionPromotionalOfferPrices", "id": "op"}]}}},
          {"type": "subscriptionPromotionalOfferPrices", "id": "op", "relationships": {
            "territory": {"data": {"type": "territories", "id": "USA"}},
            "subscriptionPricePoint": {"data": {"type": "subscriptionPricePoints", "id": "s3"}}}}]},
       {"data": [\(introductory("i1", "USA", nil, trial)), \(introductory("i2", "JPN", nil, trial)),
                 \(introductory("i3", "USA", "s1", paid))],
        "links": {"self": "/v1/subscriptions/7/introductoryOffers"}},
       {"data": [
         \(price("p2", "USA", "s2", #""startDate": "2026-03-01", "preserved": false, "planType": "UPFRONT""#)),
         \(price("p1", "USA", "s1", #""startDate": null, "preserved": false"#)),
         \(price("p0", "USA", "s3", #""startDate": null, "preserved": true"#)),
         \(price("p3", "BGR", "s3", #""startDate": null"#)),
         \(price("p4", "USA", "s3", #""startDate": null, "planType": "MONTHLY""#)),
         \(price("p5", "USA", "s3", #""startDate": "2027-01-01""#))],
        "included": [
         {"type": "subscriptionPricePoints", "id": "s1", "attributes": {"customerPrice": "4.99"}},
         {"type": "subscriptionPricePoints", "id": "s2", "attributes": {"customerPrice": "5.99"}},
         {"type": "subscriptionPricePoints", "id": "s3", "attributes": {"customerPrice": "20"}},
         {"type": "territories", "id": "BGR", "attributes": {"currency": "BGN"}}],
        "links": {"self": "https://api.example.com/v1/subscriptions/7/prices?limit=200"}}]
      """
    )
    #expect(
      found == [
        "group 5 de-DE: Werkstatt",
        #"com.example.monthly, auto-renewable-subscription, "Monthly", of 5, level 2, P1M, not approved"#,
        "en-US: Live | -",
        "BGR 20.00 BGN",
        "USA 4.99 USD until 2026-02-28",
        "USA 5.99 USD from 2026-03-01 until 2026-12-31",
        "USA 20.00 USD from 2027-01-01",
        "introductory -, free-trial, 1 × P2W until 2026-06-30, sold in [JPN USA]",
        "introductory -, pay-as-you-go, 3 × P1M, sold in [USA]",
        "  USA 4.99 USD",
        "promotional come.on, pay-up-front, 1 × P6M, sold in [USA]",
        "  USA 20.00 USD",
        #"aside: line 36, subscriptions "7", subscriptionPrices "p0": the price is preserved for those who have the subscription: nothing is to be done: the store shows the others another price"#,
        #"aside: line 42, subscriptions "7", subscriptionPrices "p4": it is of the plan "MONTHLY", which is paid in parts: leave it out: a catalogue has the price of the whole period"#,
      ]
    )
  }

  /// A response with one in-app purchase `1`, its price `p` and the price point `x`.
  private static func response(
    attributes: String = #""productId": "com.example.level1""#,
    price: String = "",
    territory: String = #"{"type": "territories", "id": "USA"}"#,
    point: String = #""customerPrice": "0.99""#,
    included: String = ""
  ) -> String {
    """
    {"data": {"type": "inAppPurchases", "id": "1", "attributes": {\(attributes)},
      "relationships": {"iapPriceSchedule": {"data": {"type": "inAppPurchasePriceSchedules", "id": "1"}}}},
     "included": [{"type": "inAppPurchasePriceSchedules", "id": "1",
       "relationships": {"manualPrices": {"data": [{"type": "inAppPurchasePrices", "id": "p"}]}}},
     {"type": "inAppPurchasePrices", "id": "p", "attributes": {\(price)}, "relationships": {
       "inAppPurchasePricePoint": {"data": {"type": "inAppPurchasePricePoints", "id": "x"}},
       "territory": {"data": \(territory)}}},
     {"type": "inAppPurchasePricePoints", "id": "x", "attributes": {\(point)}}\(included)]}
    """
  }

  static let wrong: [(name: String, text: String, expected: [String])] = [
    ("nothing wrong", response(), ["com.example.level1", "USA 0.99 USD"]),
    (
      "no territory", response(territory: "null"),
      [
        "com.example.level1",
        #"aside: line 5, inAppPurchases "1", inAppPurchasePrices "p": the price names no territory: request the prices with include=inAppPurchasePricePoint,territory"#,
      ]
    ),
    (
      "an unknown territory", response(territory: #"{"type": "territories", "id": "USB"}"#),
      [
        "com.example.level1",
        #"aside: line 5, inAppPurchases "1", inAppPurchasePrices "p": no storefront is called "USB": give a territory such as USA (did you mean USA?); pricetag storefronts lists them all"#,
      ]
    ),
    (
      "a currency that is not the storefront's",
      response(included: #", {"type": "territories", "id": "USA", "attributes": {"currency": "EUR"}}"#),
      [
        "com.example.level1",
        #"aside: line 5, inAppPurchases "1", inAppPurchasePrices "p": 0.99 EUR is a price of USA, which charges USD: give the price that USA charges in USD; nothing is converted"#,
      ]
    ),
    (
      "no amount", response(point: ""),
      [
        "com.example.level1",
        #"aside: line 5, inAppPurchases "1", inAppPurchasePrices "p": the price point has no customerPrice: request the price points with all of their fields"#,
      ]
    ),
    (
      "too many digits", response(point: #""customerPrice": "0.995""#),
      [
        "com.example.level1",
        #"aside: line 5, inAppPurchases "1", inAppPurchasePrices "p": 0.995 USD has more digits than USD, which has 2: give a price that can be paid; nothing is rounded"#,
      ]
    ),
    (
      "a number with an exponent", response(point: #""customerPrice": 1e2"#),
      [
        "com.example.level1",
        #"aside: inAppPurchases "1", inAppPurchasePrices "p", line 8, field customerPrice: "1e2" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50"#,
      ]
    ),
    (
      "days that run backwards", response(price: #""startDate": "2026-02-01", "endDate": "2026-02-01""#),
      [
        "com.example.level1",
        #"aside: inAppPurchases "1", inAppPurchasePrices "p", line 5, field endDate: the days from 2026-02-01 to 2026-01-31 run backwards: give a last day that is not before the first"#,
      ]
    ),
    (
      "no date", response(price: #""startDate": "soon""#),
      [
        "com.example.level1",
        #"aside: inAppPurchases "1", inAppPurchasePrices "p", line 5, field startDate: "soon" is not a date: write YYYY-MM-DD, such as 2026-01-01"#,
      ]
    ),
    (
      "an unknown state", response(attributes: #""productId": "a", "state": "APROVED""#),
      [
        #"aside: inAppPurchases "1", line 1, field state: there is no state "APROVED": give one of App Store Connect's (did you mean APPROVED?)"#
      ]
    ),
    (
      "an unknown kind", response(attributes: #""productId": "a", "inAppPurchaseType": "FREE_SUBSCRIPTION""#),
      [
        "a",
        "USA 0.99 USD",
        #"aside: inAppPurchases "1", line 1, field inAppPurchaseType: there is no inAppPurchaseType "FREE_SUBSCRIPTION": give one of App Store Connect's"#,
      ]
    ),
    (
      "no product identifier", response(attributes: ""),
      [
        #"aside: line 1, inAppPurchases "1": the file does not say its productId: add the response of /v2/inAppPurchases/1, in one array"#
      ]
    ),
    (
      "a malformed product identifier", response(attributes: #""productId": "a b""#),
      [
        #"aside: inAppPurchases "1", line 1, field productId: "a b" is not a product identifier: give 1 to 255 letters, digits, ".", "_", "-" and ":", a letter or digit first"#
      ]
    ),
    (
      "a contradiction of two resources",
      response(
        included: #", {"type": "inAppPurchasePricePoints", "id": "x", "attributes": {"customerPrice": "9"}}"#
      ),
      [
        "com.example.level1",
        #"aside: resource, line 8, field customerPrice: another "customerPrice" is given elsewhere in the file: give responses of one moment; neither was taken"#,
        #"aside: line 5, inAppPurchases "1", inAppPurchasePrices "p": the price point has no customerPrice: request the price points with all of their fields"#,
      ]
    ),
    (
      "two prices on the same days",
      response(
        included: """
          , {"type": "inAppPurchasePrices", "id": "q", "relationships": {
            "inAppPurchaseV2": {"data": {"type": "inAppPurchases", "id": "1"}},
            "inAppPurchasePricePoint": {"data": {"type": "inAppPurchasePricePoints", "id": "y"}},
            "territory": {"data": {"type": "territories", "id": "USA"}}}},
          {"type": "inAppPurchasePricePoints", "id": "y", "attributes": {"customerPrice": "2.99"}}
          """
      ),
      [
        "com.example.level1",
        #"aside: line 5, inAppPurchases "1", inAppPurchasePrices "p": USA has 0.99 USD and 2.99 USD on the same days: give one price for each day; none of them was taken"#,
      ]
    ),
    (
      "prices that are not in the file",
      """
      {"data": {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}}, "included": [
        {"type": "inAppPurchasePriceSchedules", "id": "1", "relationships": {"manualPrices": {
          "data": [{"type": "inAppPurchasePrices", "id": "p"}], "meta": {"paging": {"total": 175, "limit": 10}}}}}]}
      """,
      [
        "a",
        #"aside: line 2, inAppPurchasePriceSchedules "1": the file has 0 of 175 manualPrices: request them with include=manualPrices and limit[manualPrices], or add the response of their own"#,
      ]
    ),
    (
      "prices without a price point or a product",
      """
      {"data": [{"type": "inAppPurchasePrices", "id": "p"}, {"type": "inAppPurchasePrices", "id": "q"}],
       "links": {"next": "/v1/x?cursor=2"}}
      """,
      [
        "aside: line 1: the response goes on, and its next page is not in the file: add the response of its links.next, in one array",
        #"aside: line 1, inAppPurchasePrices "p": the file does not say which product it and 1 more are of: keep the "links" of the response, or request the schedule with include=manualPrices"#,
      ]
    ),
    (
      "prices of a product that is not in the file",
      """
      {"data": [{"type": "subscriptionPrices", "id": "p"}], "links": {"self": "/v1/subscriptions/7/prices"}}
      """,
      [
        #"aside: line 1, subscriptions "7": the file does not say its productId: add the response of /v1/subscriptions/7, in one array"#
      ]
    ),
    (
      "many prices that are wrong alike",
      """
      [{"data": {"type": "subscriptions", "id": "7", "attributes": {"productId": "a"}}},
       {"data": [{"type": "subscriptionPrices", "id": "p"}, {"type": "subscriptionPrices", "id": "q"},
                 {"type": "subscriptionPrices", "id": "r"}], "links": {"self": "/v1/subscriptions/7/prices"}}]
      """,
      [
        "a, auto-renewable-subscription",
        #"aside: line 2, subscriptions "7", subscriptionPrices "p": the price names no territory, and so with 2 others: request the prices with include=subscriptionPricePoint,territory"#,
      ]
    ),
    (
      "an availability that is cut short",
      """
      {"data": {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}, "relationships": {
         "inAppPurchaseAvailability": {"data": {"type": "inAppPurchaseAvailabilities", "id": "v"}}}},
       "included": [{"type": "inAppPurchaseAvailabilities", "id": "v", "relationships": {"availableTerritories": {
         "data": [{"type": "territories", "id": "USA"}], "meta": {"paging": {"total": 175, "limit": 1}}}}}]}
      """,
      [
        "a",
        #"aside: line 1, inAppPurchases "1": the file has 1 of 175 availableTerritories: add the response of /v1/inAppPurchaseAvailabilities/v/availableTerritories?limit=200; until then it says nothing"#,
      ]
    ),
    (
      "an availability of nothing",
      """
      {"data": {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}, "relationships": {
         "inAppPurchaseAvailability": {"data": {"type": "inAppPurchaseAvailabilities", "id": "v"}}}},
       "included": [{"type": "inAppPurchaseAvailabilities", "id": "v", "relationships": {
         "availableTerritories": {"data": []}}}]}
      """,
      [
        "a, sold in []"
      ]
    ),
    (
      "a group that is not in the file",
      """
      {"data": {"type": "subscriptions", "id": "7", "attributes": {"productId": "a", "subscriptionPeriod": "ONE_DAY"},
        "relationships": {"group": {"data": {"type": "subscriptionGroups", "id": "5"}}}}}
      """,
      [
        "a, auto-renewable-subscription, of 5",
        #"aside: subscriptions "7", line 1, field subscriptionPeriod: there is no subscriptionPeriod "ONE_DAY": give one of App Store Connect's"#,
      ]
    ),
    (
      "a group whose name is not in the file",
      """
      {"data": [{"type": "subscriptions", "id": "7", "attributes": {"productId": "a"}}],
       "links": {"self": "/v1/subscriptionGroups/5/subscriptions"}}
      """,
      [
        "group 5",
        "a, auto-renewable-subscription, of 5",
      ]
    ),
    (
      "texts of one language that differ",
      """
      {"data": [{"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}},
        {"type": "inAppPurchaseLocalizations", "id": "l", "attributes": {"locale": "en-US", "name": "One"},
         "relationships": {"inAppPurchaseV2": {"data": {"type": "inAppPurchases", "id": "1"}}}},
        {"type": "inAppPurchaseLocalizations", "id": "m", "attributes": {"locale": "en_US", "name": "Two"},
         "relationships": {"inAppPurchaseV2": {"data": {"type": "inAppPurchases", "id": "1"}}}},
        {"type": "inAppPurchaseLocalizations", "id": "n", "attributes": {"locale": "xx", "name": "Three"},
         "relationships": {"inAppPurchaseV2": {"data": {"type": "inAppPurchases", "id": "1"}}}}]}
      """,
      [
        "a",
        "en-US: One | -",
        #"aside: inAppPurchases "1", line 4, field locale: another text in en-US stands before this one: give one text for each language"#,
        #"aside: inAppPurchases "1", line 6, field locale: ICU has no data for the language of "xx": give a locale that CLDR knows, such as en-US"#,
      ]
    ),
    (
      "offers that cannot be read",
      """
      {"data": {"type": "subscriptions", "id": "7", "attributes": {"productId": "a"}, "relationships": {
         "introductoryOffers": {"data": [{"type": "subscriptionIntroductoryOffers", "id": "i"}]},
         "offerCodes": {"data": [{"type": "subscriptionOfferCodes", "id": "c"}]},
         "promotionalOffers": {"data": [{"type": "subscriptionPromotionalOffers", "id": "o"}]}}},
       "included": [
         {"type": "subscriptionIntroductoryOffers", "id": "i", "attributes": {"offerMode": "FREE_TRIAL", "duration": "ONE_WEEK"}},
         {"type": "subscriptionOfferCodes", "id": "c", "attributes": {"active": false}},
         {"type": "subscriptionPromotionalOffers", "id": "o", "attributes": {"offerMode": "FREE_TRIAL", "duration": "ONE_WEEK"}}]}
      """,
      [
        "a, auto-renewable-subscription",
        #"aside: line 6, subscriptions "7", subscriptionIntroductoryOffers "i": the price names no territory: request the prices with include=subscriptionPricePoint,territory"#,
        #"aside: line 8, subscriptions "7", subscriptionPromotionalOffers "o": the file does not say where the offer is made: add the response of its prices with include=subscriptionPricePoint,territory"#,
        #"aside: line 7, subscriptions "7", subscriptionOfferCodes "c": the offer is not active: leave it out"#,
      ]
    ),
    (
      "resources without identifiers", #"{"data": [1, {"type": "inAppPurchases"}, {"id": 1, "type": "x"}]}"#,
      [
        "aside: resource, line 1: a number stands where a resource is expected: give an object",
        #"aside: resource, line 1, field id: the field "id" is missing: give it"#,
        "aside: resource, line 1, field id: a number stands where a string is expected: give a string",
      ]
    ),
    (
      "an answer that is an error among others",
      """
      [{"data": {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}}},
       {"errors": [{"status": "401", "title": "Authentication credentials are missing."}]}, 5]
      """,
      [
        "a",
        #"aside: response 2, line 2, field errors: the API answered with an error, "Authentication credentials are missing.": request it again"#,
        "aside: response 3, line 1: a number stands where a response is expected: give an object",
      ]
    ),
  ]

  @Test(arguments: wrong)
  func whatIsWrongIsSetAside(name: String, text: String, expected: [String]) {
    #expect(lines(text) == expected)
  }

  static let failures: [(name: String, text: String, expected: String)] = [
    ("nothing", "", "line 1, column 1: the text ends where a value is expected: correct the JSON"),
    ("an open array", "[", "line 1, column 2: the text ends where a value is expected: correct the JSON"),
    (
      "a number", "7",
      "the file has a number where a response is expected: give responses of App Store Connect's API, or storeconfig's file"
    ),
    (
      "an empty object", "{}",
      #"line 1: no products are in the file: instead of "data" or "schemaVersion" its objects have nothing: give responses of App Store Connect's API, or storeconfig's file"#
    ),
    (
      "a list of languages", "[\n {\"locale\": \"ar-SA\", \"name\": \"Arabic\"}]",
      #"line 2: no products are in the file: instead of "data" or "schemaVersion" its objects have "locale", "name": give responses of App Store Connect's API, or storeconfig's file"#
    ),
    (
      "another version", #"{"schemaVersion": "2.0.0"}"#,
      #"line 1, field schemaVersion: the version "2.0.0" is not known: give a file of version 1, or read it with a newer PriceTag"#
    ),
    (
      "a version that is no string", #"{"schemaVersion": 1}"#,
      "line 1, field schemaVersion: a number stands where a string is expected: give a string"
    ),
    (
      "products that are no array", #"{"schemaVersion": "1.0.0", "inAppPurchases": {}}"#,
      "line 1, field inAppPurchases: an object stands where an array is expected: give an array"
    ),
    (
      "deep nesting", String(repeating: "[", count: 100),
      "line 1, column 33: values are nested more than 32 deep: correct the JSON"
    ),
  ]

  @Test(arguments: failures)
  func whatIsNoFileOfProductsIsRefused(name: String, text: String, expected: String) {
    #expect(read(text).failure == expected)
  }
}

@Suite struct StoreconfigTests {
  @Test func productsAndSubscriptions() {
    let found = lines(
      #"""
      {"schemaVersion": "1.0.0", "appId": "1", "pricing": {"baseTerritory": "USA", "prices": [{"price": "3", "territory": "USA"}]},
       "availableTerritories": [],
       "inAppPurchases": [
        {"productId": "com.example.level1", "type": "NON_CONSUMABLE", "referenceName": "Level 1", "familySharable": false,
         "pricing": {"baseTerritory": "USA", "prices": [{"price": "9.99", "territory": "USA"}, {"price": "1200", "territory": "JPN"},
           {"price": "7.5", "territory": "BGR"}]},
         "availability": {"availableInNewTerritories": true, "availableTerritories": "worldwide"},
         "localizations": [{"locale": "en-US", "name": "Level 1", "description": "The first"}]},
        {"productId": "com.example.level2", "type": "CONSUMABLE", "referenceName": "", "familySharable": true,
         "availability": {"availableInNewTerritories": false, "availableTerritories": []}}],
       "subscriptionGroups": [{"referenceName": "Garage", "localizations": [{"locale": "de-DE", "name": "Werkstatt", "customName": null}],
         "subscriptions": [{"productId": "com.example.yearly", "referenceName": "Yearly", "groupLevel": 1,
           "subscriptionPeriod": "ONE_YEAR", "familySharable": false,
           "availability": {"availableInNewTerritories": false, "availableTerritories": ["USA", "JPN"]},
           "introductoryOffers": [
            {"type": "FREE_TRIAL", "duration": "THREE_DAYS", "availableTerritories": "worldwide"},
            {"type": "PAY_AS_YOU_GO", "numberOfPeriods": 2, "availableTerritories": ["USA"],
             "pricing": {"baseTerritory": "USA", "prices": [{"price": "1.00", "territory": "USA"}]}}],
           "promotionalOffers": [
            {"id": "back", "referenceName": "Come back", "type": "PAY_UP_FRONT", "duration": "TWO_MONTHS",
             "pricing": {"baseTerritory": "JPN", "prices": [{"price": "100", "territory": "JPN"}]}},
            {"id": "free", "referenceName": "Free", "type": "FREE_TRIAL", "duration": "ONE_WEEK"}]}]}]}
      """#
    )
    #expect(
      found == [
        "group Garage de-DE: Werkstatt",
        #"com.example.level1, non-consumable, "Level 1", sold everywhere"#,
        "en-US: Level 1 | The first", "BGR 7.50 EUR from 2026-01-01", "JPN 1200 JPY", "USA 9.99 USD",
        "com.example.level2, consumable, sold in []",
        #"com.example.yearly, auto-renewable-subscription, "Yearly", of Garage, level 1, P1Y, sold in [JPN USA]"#,
        "introductory -, free-trial, 1 × P3D",
        "introductory -, pay-as-you-go, 2 × P1Y, sold in [USA]", "  USA 1.00 USD",
        "promotional back, pay-up-front, 1 × P2M, sold in [JPN]", "  JPN 100 JPY",
        "promotional free, free-trial, 1 × P1W",
      ]
    )
  }

  static let wrong: [(name: String, product: String, expected: [String])] = [
    (
      "no identifier", #""type": "CONSUMABLE""#,
      [
        #"aside: product, line 1, field productId: the field "productId" is missing: give it"#
      ]
    ),
    (
      "an unknown type", #""productId": "a", "type": "CONSUMABEL""#,
      [
        #"aside: product "a", line 1, field type: there is no type "CONSUMABEL": give one of App Store Connect's (did you mean CONSUMABLE?)"#
      ]
    ),
    (
      "prices that are none",
      #"""
      "productId": "a", "pricing": {"prices": [{"price": "1", "territory": "USA"}, {"price": "2", "territory": "USA"},
        {"price": "0.001", "territory": "DEU"}, {"price": "-1", "territory": "JPN"}, {"territory": "FRA"}, {"price": "1"}]}
      """#,
      [
        "a",
        #"aside: line 1, product "a": USA has 2.00 USD and 1.00 USD on the same days: give one price for each day; none of them was taken"#,
        #"aside: line 2, product "a": 0.001 EUR has more digits than EUR, which has 2: give a price that can be paid; nothing is rounded"#,
        #"aside: line 2, product "a": the price -1 is below zero: give zero or more"#,
        #"aside: line 2, product "a": the price of FRA has no amount: give it"#,
        #"aside: product "a", line 2, field territory: the field "territory" is missing: give it"#,
      ]
    ),
    (
      "territories that are none",
      #""productId": "a", "availability": {"availableTerritories": ["USA", "GERMANY"]}"#,
      [
        "a, sold in [USA]",
        #"aside: product "a", line 1, field availableTerritories: no storefront is called "GERMANY": give a territory such as USA (did you mean DEU?); pricetag storefronts lists them all"#,
      ]
    ),
    (
      "territories in a word", #""productId": "a", "availability": {"availableTerritories": "everywhere"}"#,
      [
        #"aside: product "a", line 1, field availableTerritories: a string stands where an array is expected: give an array"#
      ]
    ),
    (
      "texts",
      #""productId": "a", "localizations": [{"locale": "xx"}, {"name": "A"}, {"locale": "fr", "name": "A"}, {"locale": "fr", "name": "B"}]"#,
      [
        "a",
        "fr: A | -",
        #"aside: product "a", line 1, field locale: ICU has no data for the language of "xx": give a locale that CLDR knows, such as en-US"#,
        #"aside: product "a", line 1, field locale: the field "locale" is missing: give it"#,
        #"aside: product "a", line 1, field locale: another text in fr stands before this one: give one text for each language"#,
      ]
    ),
  ]

  @Test(arguments: wrong)
  func whatIsWrongIsSetAside(name: String, product: String, expected: [String]) {
    #expect(lines(#"{"schemaVersion": "1.0.0", "inAppPurchases": [{\#(product)}]}"#) == expected)
  }

  static let wrongOffers: [(name: String, offer: String, expected: [String])] = [
    (
      "no type", #""duration": "ONE_WEEK""#,
      [
        "group G",
        "a, auto-renewable-subscription, of G",
        #"aside: product "a", introductory offer 1, line 2, field type: the field "type" is missing: give it"#,
      ]
    ),
    (
      "no duration", #""type": "FREE_TRIAL""#,
      [
        "group G",
        "a, auto-renewable-subscription, of G",
        #"aside: product "a", introductory offer 1, line 2, field duration: the field "duration" is missing: give it"#,
      ]
    ),
    (
      "an unknown duration", #""type": "FREE_TRIAL", "duration": "ONE_WEAK""#,
      [
        "group G",
        "a, auto-renewable-subscription, of G",
        #"aside: product "a", introductory offer 1, line 2, field duration: there is no duration "ONE_WEAK": give one of App Store Connect's (did you mean ONE_WEEK?)"#,
      ]
    ),
    (
      "periods of a trial", #""type": "FREE_TRIAL", "duration": "ONE_WEEK", "numberOfPeriods": 2"#,
      [
        "group G",
        "a, auto-renewable-subscription, of G",
        #"aside: line 2, product "a", introductory offer 1: 2 periods of an offer that is free-trial: give one period of the whole length"#,
      ]
    ),
    (
      "no period to go by", #""type": "PAY_AS_YOU_GO", "numberOfPeriods": 2"#,
      [
        "group G",
        "a, auto-renewable-subscription, of G",
        #"aside: product "a", introductory offer 1, line 2, field type: the subscription has no period: give its subscriptionPeriod"#,
      ]
    ),
  ]

  @Test(arguments: wrongOffers)
  func anOfferThatIsWrongIsSetAside(name: String, offer: String, expected: [String]) {
    let text = """
      {"schemaVersion": "1.2", "subscriptionGroups": [{"referenceName": "G", "subscriptions": [
        {"productId": "a", "introductoryOffers": [{\(offer)}]}]}]}
      """
    #expect(lines(text) == expected)
  }
}
