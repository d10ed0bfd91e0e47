import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// The most bytes of a file.
  private static let limit = 64 << 20

  /// Reads a file of at most 64 MB.
  ///
  ///     try StringsFile(contentsOf: "res/values-pt-rBR/strings.xml").language   // "pt-BR"
  ///
  /// Without a format, the ending tells it: `.json`, `.strings`, `.xcstrings` or `.xml`. Without a language, the path
  /// tells it: `fr.lproj/…`, `values-pt-rBR/…`, `fr-CA.json`, `messages.fr.json`, as BCP 47 and whether or not there
  /// is such a language; it stays empty where the path says none, or says `Base.lproj` or `values`. A string
  /// catalogue says its own.
  ///
  /// Throws `StringsError` of `unreadableFile`, `unknownFormat` or `malformedFile`, whose place begins with the path.
  public init(contentsOf path: String, format: Format? = nil, language: String? = nil) throws(StringsError) {
    do throws(StringsError) {
      let format = if let format { format } else { try Format(path: path) }
      let bytes = try Self.bytes(of: path)
      self = try StringsFile(bytes, format: format, language: language ?? Self.language(ofPath: path))
    } catch {
      throw error.at(printable(path))
    }
  }

  /// Reads the bytes of a file: UTF-8, or for `.strings` also UTF-16 that begins with a byte order mark and a binary
  /// property list.
  ///
  ///     try StringsFile(Array(#""buy" = "Acheter";"#.utf8), format: .apple, language: "fr")
  ///
  /// Throws `StringsError` of `malformedFile`, with the line.
  public init(_ bytes: [UInt8], format: Format, language: String = "") throws(StringsError) {
    guard bytes.count <= Self.limit else {
      throw StringsError(.malformedFile, "the file has more than 64 MB", fix: "split it")
    }
    if format == .apple, bytes.starts(with: Array("bplist".utf8)) {
      self = try Self.readBinaryPropertyList(bytes, language: language)
      return
    }
    let text = try Self.utf8(bytes, format: format)
    switch format {
    case .formatJS: self = try Self.readFormatJS(text, language: language)
    case .apple: self = try Self.readApple(text, language: language)
    case .stringCatalog: self = try Self.readStringCatalog(text)
    case .android: self = try Self.readAndroid(text, language: language)
    }
  }

  /// The file as text, to be saved as UTF-8.
  ///
  /// Entries stand in their order. Throws `StringsError` of `notRepresentable` with the key of the first entry that
  /// the format cannot hold: plurals or arrays where it has none, several languages where it has one.
  public func text() throws(StringsError) -> String {
    switch format {
    case .formatJS: try formatJSText()
    case .apple: try appleText()
    case .stringCatalog: try stringCatalogText()
    case .android: try androidText()
    }
  }

  static func bytes(of path: String) throws(StringsError) -> [UInt8] {
    do throws(RegularFile.Failure) {
      return try RegularFile.bytes(of: path, limit: limit)
    } catch {
      throw StringsError(.unreadableFile, "the file cannot be read: \(error.reason)", fix: error.fix)
    }
  }

  /// The text as UTF-8 without a byte order mark.
  private static func utf8(_ bytes: [UInt8], format: Format) throws(StringsError) -> [UInt8] {
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard format == .apple, isMarked, TextEncoding(of: bytes) == .utf16 else {
      return try UTF8File.text(bytes)
    }
    return try utf8(fromUTF16: bytes.dropFirst(2), isLittleEndian: bytes[0] == 0xFF)
  }

  private static func utf8(fromUTF16 bytes: ArraySlice<UInt8>, isLittleEndian: Bool) throws(StringsError)
    -> [UInt8]
  {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var first: UInt8?
    for byte in bytes {
      guard let high = first else {
        first = byte
        continue
      }
      units.append(isLittleEndian ? UInt16(byte) << 8 | UInt16(high) : UInt16(high) << 8 | UInt16(byte))
      first = nil
    }
    var text: [UInt8] = []
    text.reserveCapacity(units.count)
    let isWhole =
      first == nil
      && !transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true) {
        text.append($0)
      }
    guard isWhole else {
      throw StringsError(
        .malformedFile,
        "half a character stands alone in the UTF-16",
        fix: "save the file as UTF-8",
        place: "line \(1 + text.count { $0 == 0x0A })"
      )
    }
    return text
  }
}

extension StringsFile.Format {
  /// The format of a file by its ending.
  init(path: String) throws(StringsError) {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    guard let format = Self(rawValue: ending.lowercased()) else {
      let known = Self.allCases.map { "." + $0.rawValue }
      throw StringsError(
        .unknownFormat,
        ending.isEmpty ? "the file has no ending" : "the ending \(quoted("." + ending)) is not known",
        fix: "name the file with one of \(known.joined(separator: ", "))"
      )
    }
    self = format
  }
}
