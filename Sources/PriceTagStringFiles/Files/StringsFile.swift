/// A strings file: a list of localized entries with their comments.
///
///     let file = try StringsFile(contentsOf: "fr.lproj/Localizable.strings")
///     file.language             // "fr", from the path
///     file.entries.first?.key
///     try file.text()           // the contents of the file
///
/// Four formats are supported. Reading a file and writing it again preserves the entries, their order and their
/// comments. Features specific to one format are stored in attributes.
public struct StringsFile: Hashable, Sendable {
  /// A file format. Raw values are file name extensions.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// FormatJS: ICU messages by key, `{"key": "text"}` or `{"key": {"defaultMessage": "text", "description": "…"}}`.
    case formatJS = "json"
    /// Apple's `.strings`: `"key" = "value";`, or a property list.
    case apple = "strings"
    /// Xcode's string catalog: all languages in one JSON file, with plural and device variations.
    case stringCatalog = "xcstrings"
    /// Android's `strings.xml`: strings, plurals and arrays.
    case android = "xml"
  }

  /// The value of an entry in one language.
  public indirect enum Value: Hashable, Sendable {
    /// A text, with the format's escape sequences resolved.
    case text(String)
    /// A text for each plural category, in the order of the file.
    case plural([Branch])
    /// A value for each kind of device, in a string catalog.
    case device([Variation])
    /// A text with substitutions (`%#@name@`), in a string catalog.
    case substituted(String, [Substitution])
    /// The items of an Android `string-array`.
    case array([String])
  }

  /// The text for a plural category.
  public struct Branch: Hashable, Sendable {
    /// The category as in the file, normally `zero`, `one`, `two`, `few`, `many` or `other`.
    public var category: String
    /// The text.
    public var text: String
    /// The state of the translation in a string catalog, if it differs from that of the localization.
    public var state: String?

    /// Creates a branch.
    public init(category: String, text: String, state: String? = nil) {
      (self.category, self.text, self.state) = (category, text, state)
    }
  }

  /// The value for a kind of device.
  public struct Variation: Hashable, Sendable {
    /// The kind of device: `iphone`, `mac`, `other` and so on.
    public var device: String
    /// The value.
    public var value: Value
    /// The state of the text's translation, if it differs from that of the localization.
    public var state: String?

    /// Creates a variation.
    public init(device: String, value: Value, state: String? = nil) {
      (self.device, self.value, self.state) = (device, value, state)
    }
  }

  /// A part of a text with its own plural, in a string catalog.
  public struct Substitution: Hashable, Sendable {
    /// The name, which the text refers to as `%#@name@`.
    public var name: String
    /// The number of the argument that selects the plural branch, from 1; `nil` if it follows from the order.
    public var argument: Int?
    /// The format specifier of the argument, such as `lld`.
    public var formatSpecifier: String?
    /// The value that replaces the substitution in the text.
    public var value: Value

    /// Creates a substitution.
    public init(name: String, argument: Int?, formatSpecifier: String?, value: Value) {
      (self.name, self.argument, self.formatSpecifier, self.value) = (name, argument, formatSpecifier, value)
    }
  }

  /// The localization of an entry in one language.
  public struct Localization: Hashable, Sendable {
    /// The value.
    public var value: Value
    /// The state of the translation in a string catalog: `translated`, `needs_review`, `new` or `stale`; `nil` if the
    /// variations have different states.
    public var state: String?
    /// The first line, from 1; 0 if the localization was not read from a file.
    public var line: Int

    /// Creates a localization.
    public init(_ value: Value, state: String? = nil, line: Int = 0) {
      (self.value, self.state, self.line) = (value, state, line)
    }
  }

  /// A key with its localizations.
  public struct Entry: Hashable, Sendable {
    /// The key.
    ///
    /// Keys are unique in JSON formats. In other formats a file may contain a key several times, and the last entry is
    /// used.
    public var key: String
    /// The comments for translators: comments before the entry or at the end of its line, or its description.
    public var comments: [String]
    /// The localizations by language. In a format for one language, the key is the file's language (empty if unknown).
    public var localizations: [String: Localization]
    /// Whether the entry should be translated.
    public var isTranslatable: Bool
    /// Other properties of the entry in order, such as the attributes of an XML element, or the members of a string
    /// catalog's object as JSON.
    public var attributes: [Attribute]
    /// The first line, from 1; 0 if the entry was not read from a file.
    public var line: Int

    /// Creates an entry.
    public init(
      key: String,
      comments: [String] = [],
      localizations: [String: Localization],
      isTranslatable: Bool = true,
      attributes: [Attribute] = [],
      line: Int = 0
    ) {
      self.key = key
      self.comments = comments
      self.localizations = localizations
      self.isTranslatable = isTranslatable
      self.attributes = attributes
      self.line = line
    }
  }

  /// A property of an entry or file that is specific to its format.
  public struct Attribute: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value, in the syntax of the format.
    public var value: String

    /// Creates an attribute.
    public init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// The format of the file.
  public var format: Format
  /// The language of the file, or the source language of a string catalog; empty if unknown.
  public var language: String
  /// The entries in order.
  public var entries: [Entry]
  /// The comments after the last entry.
  public var trailingComments: [String]
  /// Other properties of the file.
  public var attributes: [Attribute]

  /// Creates a file.
  public init(
    format: Format,
    language: String,
    entries: [Entry],
    trailingComments: [String] = [],
    attributes: [Attribute] = []
  ) {
    self.format = format
    self.language = language
    self.entries = entries
    self.trailingComments = trailingComments
    self.attributes = attributes
  }

  /// The file with a source text for every entry. In a string catalog, a key without a text in the source language is
  /// itself the text.
  var withSourceTexts: StringsFile {
    guard format == .stringCatalog else { return self }
    var file = self
    for index in file.entries.indices where file.entries[index].localizations[language] == nil {
      let entry = file.entries[index]
      file.entries[index].localizations[language] = Localization(.text(entry.key), line: entry.line)
    }
    return file
  }
}
