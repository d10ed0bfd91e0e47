import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

extension StringsFile {
  /// The maximum size of a file in bytes.
  private static let maximumByteCount = 64 << 20

  /// Reads a file of at most 64 MB.
  ///
  ///     try StringsFile(contentsOf: "res/values-pt-rBR/strings.xml").language   // "pt-BR"
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - format: The format; `nil` to use the file name extension, and for `.json` the contents.
  ///   - language: The language; `nil` to use the path: `fr.lproj/…`, `values-pt-rBR/…`, `fr-CA.json`,
  ///     `messages.fr.json`. The language is not checked against ICU, except in the names of JSON files. It is empty if
  ///     the path contains none, as with `Base.lproj` or `values`. Ignored for a string catalog and for an application
  ///     resource bundle with `@@locale`, which contain their language.
  /// - Throws: `.unreadableFile`, `.unknownFormat` or `.malformedFile`, with a place that begins with the path. A file
  ///   with malformed entries is read; see ``problems``.
  public init(contentsOf path: String, format: Format? = nil, language: String? = nil) throws(StringsError) {
    do throws(StringsError) {
      let format = if let format { format } else { try FileKind(path: path).format(of: path) }
      let bytes = try Self.bytes(of: path)
      self = try StringsFile(bytes, format: format, language: language ?? Self.language(ofPath: path))
    } catch {
      throw error.at(printable(path))
    }
  }

  /// Parses the contents of a file of at most 64 MB.
  ///
  ///     try StringsFile(Array(#""buy" = "Acheter";"#.utf8), format: .strings, language: "fr")
  ///
  /// - Parameters:
  ///   - bytes: The contents in UTF-8. A `.strings` file can also be UTF-16 with a byte order mark, or a binary property
  ///     list.
  ///   - format: The format; `nil` for JSON whose contents decide it.
  ///   - language: The language; empty if unknown.
  /// - Throws: `.malformedFile` if the file as a whole cannot be read, with the line.
  public init(_ bytes: [UInt8], format: Format?, language: String = "") throws(StringsError) {
    self = try Self.read(bytes, format: format, language: language).file
    if let problem = problems.first(where: { $0.rule == .unreadableFile }) {
      let line = place(of: problem.offset).line
      throw StringsError(.malformedFile, problem.problem, fix: problem.fix, place: "line \(line)")
    }
  }

  /// Parses the contents of a file.
  ///
  /// - Parameters:
  ///   - format: The format; `nil` for JSON whose contents decide it.
  ///   - plurals: The keys of plurals in the development language, for i18next.
  /// - Returns: The file, and the key or text that decided its format.
  static func read(
    _ bytes: [UInt8],
    format: Format?,
    language: String,
    plurals: Set<String> = []
  ) throws(StringsError) -> (file: StringsFile, evidence: String?) {
    guard bytes.count <= maximumByteCount else {
      throw StringsError(.malformedFile, "the file is larger than 64 MB", fix: "split it")
    }
    let isList = format == .strings || format == .stringsDictionary
    let text: [UInt8]
    if isList, bytes.starts(with: Array("bplist".utf8)) {
      text = try xml(ofBinaryPropertyList: bytes)
    } else {
      text = try utf8(bytes, acceptsUTF16: isList)
    }
    switch format {
    case .strings:
      let first = text.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }.first
      if first == UInt8(ascii: "<") { return (readPropertyList(text, language: language), nil) }
      return text.withUnsafeBufferPointer { buffer in
        var reader = AppleStringsReader(bytes: buffer, language: language)
        reader.read()
        let problems = reader.problems.problems + reader.entries.problems
        let file = StringsFile(
          format: .strings,
          language: language,
          bytes: text,
          entries: reader.entries.entries,
          problems: problems
        )
        return (file, nil)
      }
    case .stringsDictionary: return (readStringsDictionary(text, language: language), nil)
    case .stringCatalog: return (readStringCatalog(text), nil)
    case .android: return (readAndroid(text, language: language), nil)
    case .formatJS, .i18next, .arb, nil:
      let tree = MessageTree(text, format: format)
      let decided = if let format { (format: format, evidence: nil as String?) } else { tree.format }
      let file: StringsFile =
        switch decided.format {
        case .stringCatalog: readStringCatalog(text)
        case .i18next: i18next(tree, text, language: language, plurals: plurals)
        default: messages(tree, text, format: decided.format, language: language)
        }
      return (file, decided.evidence)
    }
  }

  static func bytes(of path: String) throws(StringsError) -> [UInt8] {
    do throws(RegularFile.Failure) {
      return try RegularFile.bytes(of: path, limit: maximumByteCount)
    } catch {
      throw StringsError(.unreadableFile, "cannot read the file: \(error.reason)", fix: error.fix)
    }
  }

  /// Returns the contents of a file as UTF-8.
  private static func utf8(_ bytes: [UInt8], acceptsUTF16: Bool) throws(StringsError) -> [UInt8] {
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard acceptsUTF16, isMarked, TextEncoding(of: bytes) == .utf16 else {
      _ = try UTF8File.text(bytes)
      return bytes
    }
    return try utf8(fromUTF16: bytes.dropFirst(2), isLittleEndian: bytes[0] == 0xFF)
  }

  private static func utf8(fromUTF16 bytes: ArraySlice<UInt8>, isLittleEndian: Bool) throws(StringsError)
    -> [UInt8]
  {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    var text: [UInt8] = []
    text.reserveCapacity(units.count)
    let isValid =
      bytes.count.isMultiple(of: 2)
      && !transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true) {
        text.append($0)
      }
    guard isValid else {
      throw StringsError(
        .malformedFile,
        "the UTF-16 text contains an unpaired surrogate or ends within a character",
        fix: "save the file as UTF-8",
        place: "line \(1 + text.count { $0 == 0x0A })"
      )
    }
    return text
  }

  /// Returns a binary property list, the form of the `.strings` files that Xcode builds into an app, as XML.
  private static func xml(ofBinaryPropertyList bytes: [UInt8]) throws(StringsError) -> [UInt8] {
    var remainingByteCount = maximumByteCount
    guard let list = BinaryPropertyList(bytes),
      let xml = xml(of: list.topObject, in: list, depth: 0, &remainingByteCount)
    else {
      throw StringsError(
        .malformedFile,
        "the binary property list is damaged, or larger than 64 MB",
        fix: "write it again, or convert it to XML with: plutil -convert xml1"
      )
    }
    return Array("<plist version=\"1.0\">\n\(xml)</plist>\n".utf8)
  }

  /// Returns an object of a binary property list as XML; `nil` if it is damaged or nested too deep.
  ///
  /// - Parameter remainingByteCount: Several keys can refer to one object, so a small file can contain much text.
  private static func xml(
    of object: Int,
    in list: BinaryPropertyList,
    depth: Int,
    _ remainingByteCount: inout Int
  ) -> String? {
    guard depth < JSONCursor.maximumDepth, let value = list.object(object) else { return nil }
    switch value {
    case .string(let text):
      guard let text else { return nil }
      remainingByteCount -= text.utf8.count + 20
      return remainingByteCount < 0 ? nil : "<string>\(escapedForHTML(text))</string>\n"
    case .dictionary(let members):
      var xml = "<dict>\n"
      for member in members {
        guard case .string(let key?)? = list.object(member.key),
          let value = Self.xml(of: member.value, in: list, depth: depth + 1, &remainingByteCount)
        else { return nil }
        remainingByteCount -= key.utf8.count + 20
        xml += "<key>\(escapedForHTML(key))</key>\n" + value
      }
      return remainingByteCount < 0 ? nil : xml + "</dict>\n"
    default: return "<other/>\n"
    }
  }
}

/// What a file is by its name.
enum FileKind {
  /// A format that is read.
  case strings(StringsFile.Format)
  /// JSON, whose contents decide the format.
  case json
  /// A strings file of a kind that is not read, with its name.
  case passedOver(String)
  /// Not a strings file by its name.
  case unknown

  /// Creates the kind that belongs to a file name.
  init(path: String) {
    let pathExtension = Self.pathExtension(of: path)
    switch pathExtension.lowercased() {
    case "json": self = .json
    case "arb": self = .strings(.arb)
    case "strings": self = .strings(.strings)
    case "stringsdict": self = .strings(.stringsDictionary)
    case "xcstrings": self = .strings(.stringCatalog)
    case "xml": self = .strings(.android)
    case "po", "pot": self = .passedOver("gettext")
    case "ftl": self = .passedOver("Fluent")
    case "xlf", "xliff", "mxliff", "xcloc": self = .passedOver("XLIFF")
    case "properties": self = .passedOver("Java properties")
    case "resx", "resw": self = .passedOver(".NET resources")
    case "yml", "yaml": self = .passedOver("YAML")
    case "json5", "jsonc", "toml", "csv", "tsv": self = .passedOver(pathExtension.uppercased())
    case "ts", "js", "mjs", "php": self = .passedOver("source code")
    default: self = .unknown
    }
  }

  /// Returns the extension of a file name; empty if there is no dot in it.
  static func pathExtension(of path: String) -> Substring {
    let name = path.split(separator: "/").last ?? ""
    return name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
  }

  /// Returns the format of a file that is given by its path; `nil` for JSON.
  func format(of path: String) throws(StringsError) -> StringsFile.Format? {
    switch self {
    case .strings(let format): return format
    case .json: return nil
    case .passedOver, .unknown:
      let pathExtension = Self.pathExtension(of: path)
      throw StringsError(
        .unknownFormat,
        pathExtension.isEmpty
          ? "the file name has no extension" : "unknown file name extension \(quoted("." + pathExtension))",
        fix: "use one of .json, .arb, .strings, .stringsdict, .xcstrings, .xml, or name the format"
      )
    }
  }
}
