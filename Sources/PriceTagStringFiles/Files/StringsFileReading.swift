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
  ///   - format: The format; `nil` to use the file name extension: `.json`, `.strings`, `.xcstrings` or `.xml`.
  ///   - language: The language; `nil` to use the path: `fr.lproj/…`, `values-pt-rBR/…`, `fr-CA.json`,
  ///     `messages.fr.json`. The language is not checked against ICU, except in the names of JSON files. It is empty if
  ///     the path contains none, as with `Base.lproj` or `values`. Ignored for a string catalog, which contains its
  ///     source language.
  /// - Throws: `.unreadableFile`, `.unknownFormat` or `.malformedFile`, with a place that begins with the path.
  public init(contentsOf path: String, format: Format? = nil, language: String? = nil) throws(StringsError) {
    do throws(StringsError) {
      let format = if let format { format } else { try Format(path: path) }
      let bytes = try Self.bytes(of: path)
      self = try StringsFile(bytes, format: format, language: language ?? Self.language(ofPath: path))
    } catch {
      throw error.at(printable(path))
    }
  }

  /// Parses the contents of a file of at most 64 MB.
  ///
  ///     try StringsFile(Array(#""buy" = "Acheter";"#.utf8), format: .apple, language: "fr")
  ///
  /// - Parameters:
  ///   - bytes: The contents in UTF-8. A `.strings` file can also be UTF-16 with a byte order mark, or a binary property
  ///     list.
  ///   - format: The format.
  ///   - language: The language; empty if unknown. Ignored for a string catalog, which contains its source language.
  /// - Throws: `.malformedFile`, with the line.
  public init(_ bytes: [UInt8], format: Format, language: String = "") throws(StringsError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw StringsError(.malformedFile, "the file is larger than 64 MB", fix: "split it")
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

  /// Returns the contents of the file, to be saved as UTF-8.
  ///
  /// - Throws: `.notRepresentable` if the format does not support a value, such as a plural, an array or several
  ///   languages, with the key of the entry.
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
      return try RegularFile.bytes(of: path, limit: maximumByteCount)
    } catch {
      throw StringsError(.unreadableFile, "cannot read the file: \(error.reason)", fix: error.fix)
    }
  }

  /// Returns the contents of a file as UTF-8, without a byte order mark.
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
}

extension StringsFile.Format {
  /// Creates the format that belongs to a file name extension.
  init(path: String) throws(StringsError) {
    let name = path.split(separator: "/").last ?? ""
    let pathExtension = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    guard let format = Self(rawValue: pathExtension.lowercased()) else {
      let supported = Self.allCases.map { "." + $0.rawValue }
      throw StringsError(
        .unknownFormat,
        pathExtension.isEmpty
          ? "the file name has no extension" : "unknown file name extension \(quoted("." + pathExtension))",
        fix: "use one of \(supported.joined(separator: ", "))"
      )
    }
    self = format
  }
}
