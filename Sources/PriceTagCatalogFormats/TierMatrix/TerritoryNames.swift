import PriceTag
import PriceTagStrings

/// The storefronts by the English names of their countries in CLDR and in older Apple files.
struct TerritoryNames {
  private var identifiers: [String: String] = [:]

  init(_ localeData: LocaleData) {
    for (name, identifier) in Self.spellings { identifiers[name] = identifier }
    for storefront in localeData.storefronts {
      identifiers[Self.folded(UILanguage.development.name(of: storefront))] = storefront.id
    }
  }

  /// Returns the identifier of a country's storefront, or `nil` if the name is unknown.
  func identifier(of name: String) -> String? {
    identifiers[Self.folded(name.prefix(100))]
  }

  /// Returns only the ASCII letters of a name, with "&" as "and", because accents, punctuation and spaces vary.
  private static func folded(_ name: some StringProtocol) -> String {
    let letters = name.lowercased().replacing("&", with: "and").unicodeScalars.filter {
      ("a"..."z").contains($0)
    }
    return String(String.UnicodeScalarView(letters))
  }

  /// Folded names of iTunes Connect that differ from CLDR's names.
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
