import PriceTagStrings

extension StringsFile {
  /// Returns the BCP 47 language that a path contains, or an empty string if it contains none.
  ///
  /// Folder names may also be part of the file name, as in exports: `app__pt-BR.lproj__Localizable.strings`.
  static func language(ofPath path: String) -> String {
    let parts = path.split(separator: "/").flatMap {
      $0.split(separator: "__", omittingEmptySubsequences: false)
    }
    for part in parts.reversed() {
      if part.hasSuffix(".lproj") { return languageTag(part.dropLast(6)) ?? "" }
      if part == "values" { return "" }
      if part.hasPrefix("values-") { return language(ofQualifiers: part.dropFirst(7)) }
    }
    guard let name = path.split(separator: "/").last, name.contains(".") else { return "" }
    return languageName(name, folder: path.split(separator: "/").dropLast().last).language
  }

  /// The names of folders that have the form of a language, but are not one.
  private static let folderNames: Set<Substring> = [
    "src", "app", "bin", "api", "web", "doc", "dev", "log", "man", "mod", "ext", "sys", "new", "mac", "lib",
    "tmp",
  ]

  /// Returns the language of a file that is not in a folder of Xcode or Android, and its name without the language.
  ///
  /// The supported names are `fr.json`, `messages.fr.json`, `messages_fr.json`, and `messages.json` in a folder `fr`.
  static func languageName(
    _ name: Substring,
    folder: Substring?
  ) -> (language: String, rest: String, isInFolder: Bool) {
    // The language must be known, because many names have the form of a tag: `app.json` is in no language.
    func languageTag(_ text: Substring) -> String? {
      Self.languageTag(text).flatMap { (try? UILanguage($0)) == nil ? nil : $0 }
    }
    let stem = name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
    // A name of three letters, and the end of a name, may be a word: en/run.json, en/sign-in.json.
    let folderLanguage = folder.flatMap { folderNames.contains($0) ? nil : languageTag($0) }
    if let language = languageTag(stem), folderLanguage == nil || stem.utf8.count != 3 {
      return (language, "", false)
    }
    if let folderLanguage { return (folderLanguage, String(stem), true) }
    for separator in [".", "_", "-"] as [Character] {
      // A tag may itself contain the separator: messages_pt_BR.json.
      for index in stem.indices where stem[index] == separator {
        if let language = languageTag(stem[stem.index(after: index)...]), index > stem.startIndex {
          return (language, String(stem[..<index]), false)
        }
      }
    }
    // The name of an application resource bundle ends in a language, also in one without data.
    if name.hasSuffix(".arb"), let index = stem.lastIndex(of: "_"), index > stem.startIndex,
      let language = Self.languageTag(stem[stem.index(after: index)...])
    {
      return (language, String(stem[..<index]), false)
    }
    return ("", String(stem), false)
  }

  /// Returns the language among Android's resource qualifiers. It follows the qualifiers of the mobile network, and
  /// precedes all others.
  private static func language(ofQualifiers qualifiers: Substring) -> String {
    var rest = qualifiers.split(separator: "-")[...]
    while let first = rest.first, first.hasPrefix("mcc") || first.hasPrefix("mnc") { rest = rest.dropFirst() }
    guard let first = rest.first else { return "" }
    if first.hasPrefix("b+") {
      return languageTag(first.dropFirst(2).split(separator: "+").joined(separator: "-")) ?? ""
    }
    // `car` is the qualifier for car displays. All other qualifiers are longer than a language.
    guard (2...3).contains(first.utf8.count), first != "car", let language = languageTag(first) else {
      return ""
    }
    guard let region = rest.dropFirst().first, region.hasPrefix("r"), (3...4).contains(region.utf8.count)
    else {
      return language
    }
    return languageTag("\(first)-\(region.dropFirst())") ?? language
  }

  /// Returns a language tag in BCP 47's spelling (`zh-Hans` for `zh_hans`), or `nil` if it is malformed.
  static func languageTag(_ text: some StringProtocol) -> String? {
    var subtags: [String] = []
    for subtag in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "_" }) {
      let isAlphanumeric = subtag.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
      }
      guard isAlphanumeric, (1...8).contains(subtag.utf8.count) else { return nil }
      let isWord = subtag.utf8.allSatisfy { $0 > 0x39 }
      switch (subtags.isEmpty, isWord, subtag.utf8.count) {
      case (true, true, 2...3): subtags.append(subtag.lowercased())
      case (true, _, _): return nil
      case (false, true, 4): subtags.append(subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased())
      case (false, true, 2): subtags.append(subtag.uppercased())
      default: subtags.append(subtag.lowercased())
      }
    }
    return subtags.joined(separator: "-")
  }
}
