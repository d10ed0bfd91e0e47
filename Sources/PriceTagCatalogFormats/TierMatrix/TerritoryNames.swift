import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// The storefronts by the English names of their countries: CLDR's, and Apple's own older spellings.
struct TerritoryNames {
  private var identifiers: [String: String] = [:]

  init(_ localeData: LocaleData) {
    for (name, identifier) in Self.spellings { identifiers[name] = identifier }
    for storefront in localeData.storefronts {
      identifiers[Self.folded(UILanguage.development.name(of: storefront))] = storefront.id
    }
  }

  /// The identifier of the storefront of a country; `nil` where no country is called so.
  func identifier(of name: String) -> String? {
    identifiers[Self.folded(name.prefix(100))]
  }

  /// A name by its ASCII letters alone, "&" as "and": accents, points and spaces are not spelt alike everywhere.
  private static func folded(_ name: some StringProtocol) -> String {
    let letters = name.lowercased().replacing("&", with: "and").unicodeScalars.filter {
      ("a"..."z").contains($0)
    }
    return String(String.UnicodeScalarView(letters))
  }

  /// As iTunes Connect wrote them, folded; CLDR has other names.
  private static let spellings = [
    "bosniaherzegovina": "BIH",
    "bruneidarussalam": "BRN",
    "capeverde": "CPV",
    "chinamainland": "CHN",
    "congodemocraticrepublicofthe": "COD",
    "congorepublicof": "COG",
    "cotedivoire": "CIV",
    "czechrepublic": "CZE",
    "hongkong": "HKG",
    "korearepublicof": "KOR",
    "laopeoplesdemocraticrepublic": "LAO",
    "macau": "MAC",
    "macedonia": "MKD",
    "macedoniatheformeryugoslavrepublicof": "MKD",
    "micronesiafederatedstatesof": "FSM",
    "moldovarepublicof": "MDA",
    "myanmar": "MMR",
    "republicofkorea": "KOR",
    "saintkittsandnevis": "KNA",
    "saintlucia": "LCA",
    "saintvincentandthegrenadines": "VCT",
    "saotomeandprincipe": "STP",
    "stvincentandthegrenadines": "VCT",
    "swaziland": "SWZ",
    "tanzaniaunitedrepublicof": "TZA",
    "trkiye": "TUR",
    "turkey": "TUR",
    "turkiye": "TUR",
    "turksandcaicos": "TCA",
    "virginislandsbritish": "VGB",
  ]
}
