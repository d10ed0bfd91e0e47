import HTTPTypes
import Hummingbird
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagStrings
import PriceTagText

/// The pages of the store: their words follow the reader, their prices the storefront, and neither the other.
struct PageRoutes: Sendable {
  let source: ShopSource
  let metrics: ServiceMetrics

  // MARK: Choosing

  /// The page to pick a store on, in the language that a reader asks for. Nothing is guessed of the storefront: a
  /// language says nothing about where somebody buys.
  func choose(_ acceptLanguage: String?, from path: Substring) throws(Problem) -> Answer {
    let matcher =
      source.languagesOfPages == nil ? source.strings.matcher : LanguageMatcher(try source.entryLanguages())
    let language = matcher.match(acceptLanguage: acceptLanguage ?? "").language
    return redirect(to: .entry(language), from: path, status: .found, vary: ["Accept-Language"])
  }

  /// The store of a storefront in the language that a reader asks for, where it has that.
  func store(_ name: Substring, _ acceptLanguage: String?, from path: Substring) throws(Problem) -> Answer {
    let storefront = try storefront(name)
    let languages = try source.languages(of: storefront)
    let match = LanguageMatcher(languages).match(acceptLanguage: acceptLanguage ?? "")
    let language =
      match.reason == .fallback
      ? storefront.usualLanguage(among: languages) ?? match.language : match.language
    return redirect(to: .store(storefront, language), from: path, status: .found, vary: ["Accept-Language"])
  }

  func entryPage(_ name: Substring, _ shop: ServedShop, from path: Substring, on date: CalendarDate)
    throws(Problem)
    -> Answer
  {
    let languages = try source.entryLanguages()
    let (language, isExact) = try language(name, among: languages)
    let page = PagePath.entry(language)
    guard isExact, isCanonical(path, page) else { return redirect(to: page, from: path, isExact: isExact) }
    var storefronts: [(storefront: Storefront, languages: [UILanguage])] = []
    for storefront in source.storefronts {
      storefronts.append((storefront, try source.languages(of: storefront)))
    }
    do throws(PagesError) {
      return answer(
        try shop.pages.entryPage(
          at: page,
          in: language,
          storefronts: storefronts,
          languages: languages,
          on: date
        ),
        in: language,
        shop
      )
    } catch { throw Problem.internal }
  }

  // MARK: Stores

  /// A store page, or a product's in it.
  func page(
    _ names: [Substring],
    _ shop: ServedShop,
    from path: Substring,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> Answer {
    let storefront = try storefront(names[0])
    let languages = try source.languages(of: storefront)
    let (language, isExact) = try language(names[1], among: languages)
    let identifier = names.count > 2 ? percentDecoded(names[2]) ?? "" : nil
    let page: PagePath =
      identifier.map { .product($0, storefront, language) } ?? .store(storefront, language)
    guard isExact, isCanonical(path, page) else { return redirect(to: page, from: path, isExact: isExact) }
    var response = try products(identifier.map { [$0] }, storefront, language, shop, on: date, logger)
    if response.products.first?.subscription?.group != nil {
      // Beside it stand the others of its group.
      response = try products(nil, storefront, language, shop, on: date, logger)
    }
    let invalid = Dictionary(grouping: response.invalidProductIdentifiers, by: \.reason.rawValue)
    metrics.count(formatted: response.products.count, setAside: invalid.mapValues(\.count))
    do throws(PagesError) {
      let store = Store(response, languages: languages)
      let html =
        if let identifier { try shop.pages.productPage(identifier, in: store) } else {
          try shop.pages.storePage(store)
        }
      return answer(html, in: language, shop)
    } catch {
      if error.code == .notFound {
        throw Problem(.notFound, "unknown-product", error.problem, fix: error.fix)
      }
      if let excess = WorkBudget.current?.excess { throw Problem(excess) }
      logger.error("a page cannot be made", metadata: ["error": "\(error)"])
      throw Problem.internal
    }
  }

  /// What the catalogue answers; all of it where no identifiers are named.
  private func products(
    _ identifiers: [String]?,
    _ storefront: Storefront,
    _ language: UILanguage,
    _ shop: ServedShop,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> ProductsResponse {
    let request = ProductsRequest(
      identifiers,
      storefront: storefront,
      language: language,
      at: date,
      strings: source.strings
    )
    do throws(CatalogError) { return try shop.catalog.products(for: request) } catch {
      throw shop.failed(error, logger)
    }
  }

  // MARK: Files

  /// The style sheet, the script, or one of the shop's own files.
  func file(_ path: Substring, _ shop: ServedShop) throws(Problem) -> Answer {
    if let name = percentDecoded(path), let file = shop.files[Array(name.utf8)] { return try file.answer() }
    throw Problem(
      .notFound,
      "not-found",
      "there is nothing at \(quoted("/" + path))",
      fix: "see /docs for what there is"
    )
  }

  // MARK: Names

  private func storefront(_ name: Substring) throws(Problem) -> Storefront {
    do throws(PriceTagError) {
      let storefront = try Storefront(percentDecoded(name) ?? "", in: source.localeData)
      guard source.storefronts.contains(storefront) else {
        throw PriceTagError(
          .unknownStorefront,
          "there is no store in \(storefront.id)",
          fix: "choose one at /store/"
        )
      }
      return storefront
    } catch { throw Problem(inAddress: error) }
  }

  /// The language that an address names, or the nearest; and whether it is that.
  private func language(
    _ name: Substring,
    among languages: [UILanguage]
  ) throws(Problem) -> (language: UILanguage, isExact: Bool) {
    do throws(StringsError) {
      let language = try UILanguage(percentDecoded(name) ?? "")
      if languages.contains(language) { return (language, true) }
      let match = LanguageMatcher(languages).match(language.identifier)
      guard match.reason != .fallback else {
        throw StringsError(
          .unknownLanguage,
          "there are no pages in \(language)",
          fix: "use one of \(languages.map { $0.identifier.lowercased() }.joined(separator: ", "))"
        )
      }
      return (match.language, false)
    } catch { throw Problem(inAddress: error) }
  }

  // MARK: Addresses

  private func isCanonical(_ path: Substring, _ page: PagePath) -> Bool { path == "/\(page)" }

  /// Another spelling has moved for good; another language may come one day.
  private func redirect(to page: PagePath, from path: Substring, isExact: Bool) -> Answer {
    redirect(to: page, from: path, status: isExact ? .permanentRedirect : .found)
  }

  /// The way from the path of a request to a page: relative, so that it also holds behind a proxy that serves the store
  /// under a path of its own.
  private func redirect(
    to page: PagePath,
    from path: Substring,
    status: HTTPResponse.Status,
    vary: [String] = []
  ) -> Answer {
    let depth = max(0, path.utf8.count { $0 == UInt8(ascii: "/") } - 1)
    var answer = Answer.redirect(
      status,
      to: depth == 0 ? "./\(page)" : String(repeating: "../", count: depth) + page.description
    )
    answer.vary = vary
    return answer
  }

  private func answer(_ html: String, in language: UILanguage, _ shop: ServedShop) -> Answer {
    var answer = Answer(html, Answer.html)
    answer.headers[.contentLanguage] = language.identifier
    answer.headers[.contentSecurityPolicy] = shop.pages.contentSecurityPolicy
    return answer
  }
}
