import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// The messages of the shop's own, with the arguments of their place on a page: of the page, or of a product.
final class OwnMessages {
  private let language: PageLanguage
  private let makeArguments: () -> [String: MessageArgument]
  /// Created for the first message, because most places have none.
  private lazy var arguments = makeArguments()

  init(_ language: PageLanguage, _ arguments: @escaping () -> [String: MessageArgument]) {
    (self.language, makeArguments) = (language, arguments)
  }

  /// Returns a message as HTML; `nil` if the place lacks one of its arguments.
  func message(_ key: String) -> String? { language.own(key, arguments) }

  // MARK: Arguments

  /// Returns the arguments of a page in a store.
  static func arguments(of store: Store, _ shopName: String) -> [String: MessageArgument] {
    let currency = store.storefront.currency(on: store.date)
    return [
      "shop": .text(shopName), "storefront": .storefront(store.storefront),
      "storefrontId": .text(store.storefront.id), "currency": .text(store.language.name(of: currency)),
      "date": .date(store.date), "count": .count(of: store.outline.products.count),
    ]
  }

  /// Returns the arguments of a product.
  static func arguments(of product: Product) -> [String: MessageArgument] {
    var arguments: [String: MessageArgument] = [
      "product": .text(product.displayName), "price": .price(product.price),
    ]
    if let before = product.priceBeforeReduction { arguments["before"] = .price(before) }
    if let percent = product.reductionPercent {
      arguments["percent"] = .percent(Amount(integerLiteral: Int64(percent)))
    }
    if let unitPrice = product.unitPrice { arguments["unitPrice"] = .price(unitPrice.price) }
    return arguments
  }

  /// Checks that a message can be formatted with the arguments of a product's place.
  ///
  /// - Throws: `.invalidTemplate`, with the language of the message.
  static func check(_ key: String, _ own: ShopStrings) throws(PagesError) {
    do throws(StringsError) {
      let samples = try samples()
      let names = samples.keys.sorted()
      for language in own.languages {
        let message = try own.message(key, in: language)
        var arguments: MessageArguments = [:]
        for name in message.argumentNames {
          guard let sample = samples[name] else {
            throw StringsError(
              .invalidArgument,
              "pages have no value \(quoted(name)) for the message \(quoted(key))",
              fix: "use one of \(names.joined(separator: ", "))" + didYouMean(name, among: names)
            )
          }
          arguments.append(name, sample)
        }
        _ = try message.format(arguments)
      }
    } catch { throw PagesError(.invalidTemplate, error) }
  }

  /// Returns an argument of each name that a product's place has.
  private static func samples() throws(StringsError) -> [String: MessageArgument] {
    do throws(PriceTagError) {
      let storefront = try Storefront("USA")
      let price = MessageArgument.price(try PriceFormatter(storefront: storefront).format(2))
      return [
        "shop": .text("x"), "storefront": .storefront(storefront), "storefrontId": .text("x"),
        "currency": .text("x"), "date": .date(.todayInUTC), "count": .count(of: 2), "product": .text("x"),
        "price": price, "before": price, "percent": .percent(2), "unitPrice": price,
      ]
    } catch { throw StringsError(.invalidArgument, error) }
  }
}

extension Storefront {
  /// Whether the storefront's territory is a member of the European Union.
  var isInEU: Bool { Self.membersOfEU.contains(id) }

  /// Whether the storefront's territory is in the European Economic Area: the European Union, Iceland, Liechtenstein, and
  /// Norway.
  var isInEEA: Bool { isInEU || ["ISL", "LIE", "NOR"].contains(id) }

  /// The members of the European Union since 2020-02-01.
  private static let membersOfEU: Set<String> = [
    "AUT", "BEL", "BGR", "CYP", "CZE", "DEU", "DNK", "ESP", "EST", "FIN", "FRA", "GRC", "HRV", "HUN", "IRL",
    "ITA", "LTU", "LUX", "LVA", "MLT", "NLD", "POL", "PRT", "ROU", "SVK", "SVN", "SWE",
  ]
}
