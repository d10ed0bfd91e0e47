import PriceTagStrings

/// A file of strings as translators and build tools know it: its entries in order, with their comments.
///
/// Four formats are read and written, each with what it alone has; what is read is written again as it was said, in
/// the order it stood in.
///
///     let file = try StringsFile(contentsOf: "fr.lproj/Localizable.strings")
///     file.language             // "fr", from the path
///     file.entries.first?.key
///     try file.text()           // the file again
public struct StringsFile: Hashable, Sendable {
  /// The formats, by the endings of their files.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// ICU messages by key, as FormatJS has them: `{"key": "text"}` or `{"key": {"defaultMessage", "description"}}`.
    case formatJS = "json"
    /// Apple's `"key" = "value";`, or a property list of the same.
    case apple = "strings"
    /// Xcode's string catalogue: all languages in one JSON file, with plural and device variations.
    case stringCatalog = "xcstrings"
    /// Android's `strings.xml`: strings, plurals and arrays.
    case android = "xml"
  }

  /// What an entry says in a language.
  public indirect enum Value: Hashable, Sendable {
    /// One text, its format's own escapes undone.
    case text(String)
    /// A text for each plural category, in the order of the file.
    case plural([Branch])
    /// A text for each kind of device (of a string catalogue), each of which may have plurals.
    case device([Variation])
    /// A text with `%#@name@` in the places of substitutions, each with plurals (of a string catalogue).
    case substituted(String, [Substitution])
    /// The items of an Android `string-array`.
    case array([String])
  }

  /// A plural category with its text.
  public struct Branch: Hashable, Sendable {
    /// `zero`, `one`, `two`, `few`, `many`, `other`; whatever the file says.
    public var category: String
    /// The text.
    public var text: String
    /// How far its translation is (of a string catalogue), where that is not what its localization says.
    public var state: String?

    /// A category with its text.
    public init(category: String, text: String, state: String? = nil) {
      (self.category, self.text, self.state) = (category, text, state)
    }
  }

  /// A kind of device with its value.
  public struct Variation: Hashable, Sendable {
    /// `iphone`, `mac`, `other` and so on.
    public var device: String
    /// What is said on it.
    public var value: Value
    /// How far the translation of its text is, where that is not what its localization says.
    public var state: String?

    /// A device with its value.
    public init(device: String, value: Value, state: String? = nil) {
      (self.device, self.value, self.state) = (device, value, state)
    }
  }

  /// A part of a text that has plurals of its own (of a string catalogue).
  public struct Substitution: Hashable, Sendable {
    /// The name that the text calls it by: `%#@name@`.
    public var name: String
    /// Which of the caller's arguments it counts, from 1; `nil` where the order says it.
    public var argument: Int?
    /// How the argument is written: `lld`.
    public var formatSpecifier: String?
    /// What stands in its place.
    public var value: Value

    /// A substitution.
    public init(name: String, argument: Int?, formatSpecifier: String?, value: Value) {
      (self.name, self.argument, self.formatSpecifier, self.value) = (name, argument, formatSpecifier, value)
    }
  }

  /// An entry in one language.
  public struct Localization: Hashable, Sendable {
    /// What it says.
    public var value: Value
    /// How far its translation is (of a string catalogue): `translated`, `needs_review`, `new`, `stale`; `nil` where
    /// its variations differ and each says its own.
    public var state: String?
    /// The line that it starts on, from 1; 0 where it was not read from a file.
    public var line: Int

    /// A value, with what is known of it.
    public init(_ value: Value, state: String? = nil, line: Int = 0) {
      (self.value, self.state, self.line) = (value, state, line)
    }
  }

  /// A string by its key.
  public struct Entry: Hashable, Sendable {
    /// The key. It is unique in a file of JSON; in the other formats a file may have it twice, and the later entry
    /// counts.
    public var key: String
    /// What is said of it for translators: comments of the file before it or behind it on its line, or its
    /// description.
    public var comments: [String]
    /// What it says, by language. A file of one language has one, under that language (or an empty name where the
    /// file's language is not known).
    public var localizations: [String: Localization]
    /// Whether it is to be translated at all.
    public var isTranslatable: Bool
    /// What else the format says of it, by name, in order: an XML element's attributes, a string catalogue's
    /// members (as JSON).
    public var attributes: [Attribute]
    /// The line that it starts on, from 1; 0 where it was not read from a file.
    public var line: Int

    /// An entry.
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

  /// Something that a format says of an entry or of the whole file.
  public struct Attribute: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value, as the format writes it.
    public var value: String

    /// A name with its value.
    public init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// The format.
  public var format: Format
  /// The language of the file, or the source language of a string catalogue; empty where it is not known.
  public var language: String
  /// The entries in order.
  public var entries: [Entry]
  /// Comments that belong to no entry: behind the last one.
  public var trailingComments: [String]
  /// What else the format says of the whole file.
  public var attributes: [Attribute]

  /// A file.
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

  /// The file with what a string catalogue means by a key without a text in the source language: that it is its text.
  var sayingItsKeys: StringsFile {
    guard format == .stringCatalog else { return self }
    var file = self
    for index in file.entries.indices where file.entries[index].localizations[language] == nil {
      let entry = file.entries[index]
      file.entries[index].localizations[language] = Localization(.text(entry.key), line: entry.line)
    }
    return file
  }
}
