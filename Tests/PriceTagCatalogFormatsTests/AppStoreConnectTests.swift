import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

private func read(_ text: String) -> Imported { Imported(.appStoreConnect, text, .inFebruary) }

@Suite struct AppStoreConnectTests {
  @Test func importsInAppPurchaseFromOneResponse() {
    let found = read(
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
      found.text.split(separator: "\n") == [
        #"com.example.level1, consumable, "Level 1", approved, sold in [JPN USA]"#,
        "en-US: One | The first", "JPN 160 JPY", "USA 0.99 USD until 2026-02-28",
        "USA 1.50 USD from 2026-03-01",
      ]
    )
  }

  /// A list of products, with the prices of each in a separate response.
  @Test func joinsResponsesByLinks() {
    let found = read(
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
      found.text.split(separator: "\n") == [
        "com.example.level1, not approved", "KWT 1.09 USD", "USA 0.99 USD",
        "com.example.level2, approved", "he: שלב 2 | -",
      ]
    )
  }

  @Test func importsSubscriptionWithGroupPricesAndOffers() {
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
    let found = read(
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
      found.text.split(separator: "\n") == [
        "subscription-group 5, de-DE: Werkstatt",
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
        #"rejected: line 36, subscriptions "7", subscriptionPrices "p0": the price is preserved for existing subscribers; ignore it; new subscribers see another price"#,
        #"rejected: line 42, subscriptions "7", subscriptionPrices "p4": the plan "MONTHLY" is not supported because it is paid in installments; remove it; only plans paid up front are imported"#,
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

  static let wrong: [(name: String, text: String, expected: String)] = [
    ("no fault", response(), "com.example.level1\nUSA 0.99 USD"),
    (
      "an unknown state", response(attributes: #""productId": "a", "state": "APROVED""#),
      #"rejected: inAppPurchases "1", line 1, field state: unknown state "APROVED"; use a value of App Store Connect (did you mean "APPROVED"?)"#
    ),
    (
      "an unknown kind", response(attributes: #""productId": "a", "inAppPurchaseType": "FREE_SUBSCRIPTION""#),
      """
      a
      USA 0.99 USD
      rejected: inAppPurchases "1", line 1, field inAppPurchaseType: unknown inAppPurchaseType "FREE_SUBSCRIPTION"; use a value of App Store Connect
      """
    ),
    (
      "no product identifier", response(attributes: ""),
      #"rejected: line 1, inAppPurchases "1": the field "productId" is missing; add the response of /v2/inAppPurchases/1, in one array"#
    ),
    (
      "a malformed product identifier", response(attributes: #""productId": "a b""#),
      #"rejected: inAppPurchases "1", line 1, field productId: "a b" is not a product identifier; use 1 to 255 letters, digits, ".", "_", "-" or ":", starting with a letter or digit"#
    ),
    (
      "different values of one attribute",
      response(
        included: #", {"type": "inAppPurchasePricePoints", "id": "x", "attributes": {"customerPrice": "9"}}"#
      ),
      """
      com.example.level1
      rejected: resource, line 8, field customerPrice: the field "customerPrice" has different values in the file; use responses requested at the same time; both values are rejected
      rejected: line 5, inAppPurchases "1", inAppPurchasePrices "p": the field "customerPrice" of the price point is missing; request the price points with all fields
      """
    ),
    (
      "prices that are not in the file",
      """
      {"data": {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}}, "included": [
        {"type": "inAppPurchasePriceSchedules", "id": "1", "relationships": {"manualPrices": {
          "data": [{"type": "inAppPurchasePrices", "id": "p"}], "meta": {"paging": {"total": 175, "limit": 10}}}}}]}
      """,
      """
      a
      rejected: line 2, inAppPurchasePriceSchedules "1": the file has 0 of 175 manualPrices; request them with include=manualPrices and limit[manualPrices], or add their own response
      """
    ),
    (
      "prices without a price point or a product",
      """
      {"data": [{"type": "inAppPurchasePrices", "id": "p"}, {"type": "inAppPurchasePrices", "id": "q"}],
       "links": {"next": "/v1/x?cursor=2"}}
      """,
      """
      rejected: line 1: the next page of the response is not in the file; add the response of its links.next, in one array
      rejected: line 1, inAppPurchasePrices "p": the file does not name its product (also for 1 more); keep the "links" of the response, or request the schedule with include=manualPrices
      """
    ),
    (
      "prices of a product that is not in the file",
      """
      {"data": [{"type": "subscriptionPrices", "id": "p"}], "links": {"self": "/v1/subscriptions/7/prices"}}
      """,
      #"rejected: line 1, subscriptions "7": the field "productId" is missing; add the response of /v1/subscriptions/7, in one array"#
    ),
    (
      "many prices with the same fault",
      """
      [{"data": {"type": "subscriptions", "id": "7", "attributes": {"productId": "a"}}},
       {"data": [{"type": "subscriptionPrices", "id": "p"}, {"type": "subscriptionPrices", "id": "q"},
                 {"type": "subscriptionPrices", "id": "r"}], "links": {"self": "/v1/subscriptions/7/prices"}}]
      """,
      """
      a, auto-renewable-subscription
      rejected: line 2, subscriptions "7", subscriptionPrices "p": the price has no territory (also for 2 more); request the prices with include=subscriptionPricePoint,territory
      """
    ),
    (
      "an incomplete availability",
      """
      {"data": {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}, "relationships": {
         "inAppPurchaseAvailability": {"data": {"type": "inAppPurchaseAvailabilities", "id": "v"}}}},
       "included": [{"type": "inAppPurchaseAvailabilities", "id": "v", "relationships": {"availableTerritories": {
         "data": [{"type": "territories", "id": "USA"}], "meta": {"paging": {"total": 175, "limit": 1}}}}}]}
      """,
      """
      a
      rejected: line 1, inAppPurchases "1": the file has 1 of 175 availableTerritories; add the response of /v1/inAppPurchaseAvailabilities/v/availableTerritories?limit=200
      """
    ),
    (
      "an empty availability",
      """
      {"data": {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}, "relationships": {
         "inAppPurchaseAvailability": {"data": {"type": "inAppPurchaseAvailabilities", "id": "v"}}}},
       "included": [{"type": "inAppPurchaseAvailabilities", "id": "v", "relationships": {
         "availableTerritories": {"data": []}}}]}
      """,
      "a, sold in []"
    ),
    (
      "a group that is not in the file",
      """
      {"data": {"type": "subscriptions", "id": "7", "attributes": {"productId": "a", "subscriptionPeriod": "ONE_DAY"},
        "relationships": {"group": {"data": {"type": "subscriptionGroups", "id": "5"}}}}}
      """,
      """
      a, auto-renewable-subscription, of 5
      rejected: subscriptions "7", line 1, field subscriptionPeriod: unknown subscriptionPeriod "ONE_DAY"; use a value of App Store Connect
      """
    ),
    (
      "a group whose name is not in the file",
      """
      {"data": [{"type": "subscriptions", "id": "7", "attributes": {"productId": "a"}}],
       "links": {"self": "/v1/subscriptionGroups/5/subscriptions"}}
      """,
      """
      subscription-group 5
      a, auto-renewable-subscription, of 5
      """
    ),
    (
      "different texts in one language",
      """
      {"data": [{"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}},
        {"type": "inAppPurchaseLocalizations", "id": "l", "attributes": {"locale": "en-US", "name": "One"},
         "relationships": {"inAppPurchaseV2": {"data": {"type": "inAppPurchases", "id": "1"}}}},
        {"type": "inAppPurchaseLocalizations", "id": "m", "attributes": {"locale": "en_US", "name": "Two"},
         "relationships": {"inAppPurchaseV2": {"data": {"type": "inAppPurchases", "id": "1"}}}},
        {"type": "inAppPurchaseLocalizations", "id": "n", "attributes": {"locale": "xx", "name": "Three"},
         "relationships": {"inAppPurchaseV2": {"data": {"type": "inAppPurchases", "id": "1"}}}}]}
      """,
      """
      a
      en-US: One | -
      rejected: inAppPurchases "1", line 4, field locale: "en-US" appears twice with different texts; remove one
      rejected: inAppPurchases "1", line 6, field locale: unknown language "xx" (ICU has no data for the language); use a BCP 47 tag such as "en-US"
      """
    ),
    (
      "invalid offers",
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
      """
      a, auto-renewable-subscription
      rejected: line 6, subscriptions "7", subscriptionIntroductoryOffers "i": the price has no territory; request the prices with include=subscriptionPricePoint,territory
      rejected: line 8, subscriptions "7", subscriptionPromotionalOffers "o": the prices of the offer are not in the file; add the response of its prices with include=subscriptionPricePoint,territory
      rejected: line 7, subscriptions "7", subscriptionOfferCodes "c": the offer is not active; remove it
      """
    ),
    (
      "an offer after which the subscription ends",
      """
      {"data": {"type": "subscriptions", "id": "7", "attributes": {"productId": "a"}, "relationships": {
         "offerCodes": {"data": [{"type": "subscriptionOfferCodes", "id": "c"}]}}},
       "included": [{"type": "subscriptionOfferCodes", "id": "c", "attributes": {"active": true,
         "autoRenewEnabled": false, "offerMode": "FREE_TRIAL", "duration": "ONE_WEEK"}}]}
      """,
      """
      a, auto-renewable-subscription
      rejected: line 3, subscriptions "7", subscriptionOfferCodes "c": an offer after which the subscription does not renew is not supported; remove it
      """
    ),
    (
      "resources without identifiers", #"{"data": [1, {"type": "inAppPurchases"}, {"id": 1, "type": "x"}]}"#,
      """
      rejected: resource, line 1: a resource must be an object, not a number; write an object
      rejected: resource, line 1, field id: the field "id" is missing; add it
      rejected: resource, line 1, field id: the field "id" must be a string, not a number; write a string
      """
    ),
    (
      "an error response among others",
      """
      [{"data": {"type": "inAppPurchases", "id": "1", "attributes": {"productId": "a"}}},
       {"errors": [{"status": "401", "title": "Authentication credentials are missing."}]}, 5]
      """,
      """
      a
      rejected: response 2, line 2, field errors: the API returned an error ("Authentication credentials are missing."); request it again
      rejected: response 3, line 1: a response must be an object, not a number; write an object
      """
    ),
  ]

  @Test(arguments: wrong)
  func rejectsInvalidData(name: String, text: String, expected: String) {
    #expect(read(text).text == expected)
  }

  /// Products of which only the price is rejected.
  static let wrongPrices: [(name: String, text: String, reject: String)] = [
    (
      "no territory", response(territory: "null"),
      #"line 5, inAppPurchases "1", inAppPurchasePrices "p": the price has no territory; request the prices with include=inAppPurchasePricePoint,territory"#
    ),
    (
      "an unknown territory", response(territory: #"{"type": "territories", "id": "USB"}"#),
      #"line 5, inAppPurchases "1", inAppPurchasePrices "p": unknown storefront "USB"; did you mean "USA"?"#
    ),
    (
      "a currency that is not the storefront's",
      response(included: #", {"type": "territories", "id": "USA", "attributes": {"currency": "EUR"}}"#),
      #"line 5, inAppPurchases "1", inAppPurchasePrices "p": 0.99 EUR is not a price for USA, which charges USD; write the price in USD; prices are not converted"#
    ),
    (
      "no amount", response(point: ""),
      #"line 5, inAppPurchases "1", inAppPurchasePrices "p": the field "customerPrice" of the price point is missing; request the price points with all fields"#
    ),
    (
      "too many digits", response(point: #""customerPrice": "0.995""#),
      #"line 5, inAppPurchases "1", inAppPurchasePrices "p": 0.995 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded"#
    ),
    (
      "a number with an exponent", response(point: #""customerPrice": 1e2"#),
      #"inAppPurchases "1", inAppPurchasePrices "p", line 8, field customerPrice: "1e2" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50"#
    ),
    (
      "an end date before the start date",
      response(price: #""startDate": "2026-02-01", "endDate": "2026-02-01""#),
      #"inAppPurchases "1", inAppPurchasePrices "p", line 5, field endDate: the last day 2026-01-31 is before the first day 2026-02-01; correct one of the dates"#
    ),
    (
      "an invalid date", response(price: #""startDate": "soon""#),
      #"inAppPurchases "1", inAppPurchasePrices "p", line 5, field startDate: "soon" is not a date; write YYYY-MM-DD, such as 2026-01-01"#
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
      #"line 5, inAppPurchases "1", inAppPurchasePrices "p": USA has 0.99 USD and 2.99 USD on the same dates; keep one price per date (all prices of USA were rejected)"#
    ),
  ]

  @Test(arguments: wrongPrices)
  func rejectsInvalidPrice(name: String, text: String, reject: String) {
    #expect(read(text).text == "com.example.level1\nrejected: \(reject)")
  }

  static let failures: [(name: String, text: String, expected: String)] = [
    (
      "a number", "7",
      "a response must be an object, not a number; use responses of the App Store Connect API, or a file of storeconfig"
    ),
    (
      "an empty object", "{}",
      #"line 1: the file has neither of the fields "data" and "schemaVersion"; use responses of the App Store Connect API, or a file of storeconfig"#
    ),
    (
      "a list of languages", "[\n {\"locale\": \"ar-SA\", \"name\": \"Arabic\"}]",
      #"line 2: the file has neither of the fields "data" and "schemaVersion", only "locale", "name"; use responses of the App Store Connect API, or a file of storeconfig"#
    ),
    (
      "another version", #"{"schemaVersion": "2.0.0"}"#,
      #"line 1, field schemaVersion: unknown schemaVersion "2.0.0"; use a file of version 1, or use a later version of PriceTag"#
    ),
    (
      "a version that is not a string", #"{"schemaVersion": 1}"#,
      "line 1, field schemaVersion: the field \"schemaVersion\" must be a string, not a number; write a string"
    ),
    (
      "products that are not an array", #"{"schemaVersion": "1.0.0", "inAppPurchases": {}}"#,
      "line 1, field inAppPurchases: the field \"inAppPurchases\" must be an array, not an object; write an array"
    ),
  ]

  @Test(arguments: failures)
  func rejectsUnknownFile(name: String, text: String, expected: String) {
    #expect(read(text).failure == expected)
  }
}

@Suite struct StoreconfigTests {
  @Test func importsProductsAndSubscriptions() {
    let found = read(
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
      found.text.split(separator: "\n") == [
        "subscription-group Garage, de-DE: Werkstatt",
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

  static let wrong: [(name: String, product: String, expected: String)] = [
    (
      "no identifier", #""type": "CONSUMABLE""#,
      #"rejected: product, line 1, field productId: the field "productId" is missing; add it"#
    ),
    (
      "an unknown type", #""productId": "a", "type": "CONSUMABEL""#,
      #"rejected: product "a", line 1, field type: unknown type "CONSUMABEL"; use a value of App Store Connect (did you mean "CONSUMABLE"?)"#
    ),
    (
      "invalid prices",
      #"""
      "productId": "a", "pricing": {"prices": [{"price": "1", "territory": "USA"}, {"price": "2", "territory": "USA"},
        {"price": "0.001", "territory": "DEU"}, {"price": "-1", "territory": "JPN"}, {"territory": "FRA"}, {"price": "1"}]}
      """#,
      """
      a
      rejected: line 1, product "a": USA has 2.00 USD and 1.00 USD on the same dates; keep one price per date (all prices of USA were rejected)
      rejected: line 2, product "a": 0.001 EUR has more decimals than the minor unit of EUR (2); write an amount that can be charged; imported prices are not rounded
      rejected: line 2, product "a": the price -1 is negative; write zero or more
      rejected: line 2, product "a": the price of FRA is missing; add it
      rejected: product "a", line 2, field territory: the field "territory" is missing; add it
      """
    ),
    (
      "unknown territories",
      #""productId": "a", "availability": {"availableTerritories": ["USA", "GERMANY"]}"#,
      """
      a, sold in [USA]
      rejected: product "a", line 1, field availableTerritories: unknown storefront "GERMANY"; did you mean "DEU"?
      """
    ),
    (
      "territories as a string", #""productId": "a", "availability": {"availableTerritories": "everywhere"}"#,
      #"rejected: product "a", line 1, field availableTerritories: the field "availableTerritories" must be an array, not a string; write an array"#
    ),
    (
      "texts",
      #""productId": "a", "localizations": [{"locale": "xx"}, {"name": "A"}, {"locale": "fr", "name": "A"}, {"locale": "fr", "name": "B"}]"#,
      """
      a
      fr: A | -
      rejected: product "a", line 1, field locale: unknown language "xx" (ICU has no data for the language); use a BCP 47 tag such as "en-US"
      rejected: product "a", line 1, field locale: the field "locale" is missing; add it
      rejected: product "a", line 1, field locale: "fr" appears twice with different texts; remove one
      """
    ),
  ]

  @Test(arguments: wrong)
  func rejectsInvalidData(name: String, product: String, expected: String) {
    #expect(read(#"{"schemaVersion": "1.0.0", "inAppPurchases": [{\#(product)}]}"#).text == expected)
  }

  static let wrongOffers: [(name: String, offer: String, reject: String)] = [
    (
      "no type", #""duration": "ONE_WEEK""#,
      #"product "a", introductory offer 1, line 2, field type: the field "type" is missing; add it"#
    ),
    (
      "no duration", #""type": "FREE_TRIAL""#,
      #"product "a", introductory offer 1, line 2, field duration: the field "duration" is missing; add it"#
    ),
    (
      "an unknown duration", #""type": "FREE_TRIAL", "duration": "ONE_WEAK""#,
      #"product "a", introductory offer 1, line 2, field duration: unknown duration "ONE_WEAK"; use a value of App Store Connect (did you mean "ONE_WEEK"?)"#
    ),
    (
      "periods of a trial", #""type": "FREE_TRIAL", "duration": "ONE_WEEK", "numberOfPeriods": 2"#,
      #"line 2, product "a", introductory offer 1: an offer with the payment mode free-trial cannot have 2 periods; use one period of the complete length"#
    ),
    (
      "no subscription period", #""type": "PAY_AS_YOU_GO", "numberOfPeriods": 2"#,
      #"product "a", introductory offer 1, line 2, field type: the field "subscriptionPeriod" of the subscription is missing; add it"#
    ),
  ]

  @Test(arguments: wrongOffers)
  func rejectsInvalidOffer(name: String, offer: String, reject: String) {
    let text = """
      {"schemaVersion": "1.2", "subscriptionGroups": [{"referenceName": "G", "subscriptions": [
        {"productId": "a", "introductoryOffers": [{\(offer)}]}]}]}
      """
    #expect(
      read(text).text == "subscription-group G\na, auto-renewable-subscription, of G\nrejected: \(reject)"
    )
  }
}
