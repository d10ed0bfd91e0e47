import Foundation
import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText
import Testing

@testable import PriceTagStringFiles

/// Parses text as a file of a format.
private func read(
  _ text: String,
  _ format: StringsFile.Format,
  language: String = "fr"
) throws(StringsError) -> StringsFile {
  try StringsFile(Array(text.utf8), format: format, language: language)
}

/// Describes an entry as in the tables below: `4 key = value # comment`.
private func line(_ entry: StringsFile.Entry) -> String {
  let values = entry.localizations.sorted { $0.key < $1.key }.map { language, localization in
    let state = localization.state.map { " (\($0))" } ?? ""
    return (language == "fr" ? "" : "\(language): ") + describe(localization.value) + state
  }
  let comments = entry.comments.map { " # " + $0 }.joined()
  let attributes = entry.attributes.map { " \($0.name)=\($0.value)" }.joined()
  let translatable = entry.isTranslatable ? "" : " untranslatable"
  return
    "\(entry.line) \(entry.key) = \(values.joined(separator: "; "))\(translatable)\(attributes)\(comments)"
}

private func describe(_ value: StringsFile.Value) -> String {
  switch value {
  case .text(let text): text
  case .plural(let branches):
    "["
      + branches.map { "\($0.category): \($0.text)\($0.state.map { " (\($0))" } ?? "")" }.joined(
        separator: ", "
      ) + "]"
  case .device(let devices):
    "<"
      + devices.map { "\($0.device): \(describe($0.value))\($0.state.map { " (\($0))" } ?? "")" }.joined(
        separator: ", "
      ) + ">"
  case .substituted(let text, let parts):
    text + " with "
      + parts.map {
        "\($0.name) \($0.argument.map(String.init) ?? "-") \($0.formatSpecifier ?? "-") \(describe($0.value))"
      }.joined(separator: ", ")
  case .array(let items): "(" + items.joined(separator: ", ") + ")"
  }
}

/// Expects a file to have some entries, and to be written again byte for byte.
private func expectRoundTrip(
  _ text: String,
  _ format: StringsFile.Format,
  _ expected: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = try read(text, format)
  #expect(file.entries.map(line) == expected, sourceLocation: sourceLocation)
  #expect(try file.text() == text, sourceLocation: sourceLocation)
}

/// Returns the description of the error that a file causes, or "no error".
private func errorDescription(_ format: StringsFile.Format, _ bytes: [UInt8]) -> String {
  do throws(StringsError) {
    _ = try StringsFile(bytes, format: format)
    return "no error"
  } catch {
    return "\(error)"
  }
}

@Suite struct StringsFileFormatJSTests {
  @Test func roundTrips() throws {
    try expectRoundTrip(
      #"""
      {
        "buy": "Acheter",
        "price": {
          "defaultMessage": "{price}\u00a0: \"net\"\n",
          "description": "Short."
        },
        "hash": {
          "defaultMessage": "x"
        },
        "more": {
          "defaultMessage": "y",
          "maxLength": 12,
          "tags": [
            "a",
            {}
          ]
        }
      }

      """#,
      .formatJS,
      [
        "2 buy = Acheter",
        "3 price = {price}\u{A0}: \"net\"\n # Short.",
        "7 hash = x form=object",
        #"10 more = y maxLength=12 tags=["a",{}]"#,
      ]
    )
  }

  @Test(arguments: [
    ("no-break space", "a\u{A0}b", #"a\u00a0b"#), ("narrow", "1\u{202F}€", #"1\u202f€"#),
    ("line separator", "\u{2028}", #"\u2028"#), ("control", "\u{7F}\u{1}", #"\u007f\u0001"#),
    ("isolate", "\u{2068}x\u{2069}", #"\u2068x\u2069"#), ("tag", "\u{E0067}", #"\udb40\udc67"#),
    ("joiner in a word", "ಸ್ಟೋರ್\u{200C}ನಲ್ಲಿ", "ಸ್ಟೋರ್\u{200C}ನಲ್ಲಿ"), ("joiner alone", "\u{200D}", #"\u200d"#),
    ("joiner at the end", "می\u{200C} ", #"می\u200c "#), ("slash", "a/b", "a/b"),
  ])
  func escapesInvisibleCharacters(name: String, text: String, expected: String) throws {
    let file = try read("{\"k\": \(json(text))}", .formatJS)
    let written = try file.text()
    #expect(written == "{\n  \"k\": \"\(expected)\"\n}\n")
    #expect(try read(written, .formatJS).entries[0].localizations["fr"]?.value == .text(text))
  }

  @Test func preservesBuiltInStrings() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../LocaleData/strings"
    )
    .standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".json")
    }
    #expect(names.count >= 50)
    for name in names {
      let path = folder.appending(path: name).path
      let file = try StringsFile(contentsOf: path)
      #expect(file.language == name.dropLast(5), "\(name)")
      #expect(try Array(file.text().utf8) == Array(Data(contentsOf: URL(filePath: path))), "\(name)")
    }
  }

  @Test(arguments: [
    (
      #"{"store": {"buy": "Buy"}}"#,
      #"line 1, key "store": the field "defaultMessage" is missing; add it, or write nested keys on one level, such as "store.buy""#
    ),
    (
      "{\n \"a\": 1}",
      #"line 2, key "a": the message must be a string or an object, not a number; write a string, or an object with "defaultMessage""#
    ),
    (
      #"{"a": {"defaultMessage": []}}"#,
      #"line 1, key "a": the field "defaultMessage" must be a string, not an array; write a string"#
    ),
    ("{\"a\": \"1\",\n\"a\": \"2\"}", #"line 2, column 1: the field "a" appears twice; correct the JSON"#),
    ("[]", "line 1: the file must contain an object, not an array; correct the JSON"),
    ("", "line 1, column 1: expected a value, but the text ends; correct the JSON"),
  ])
  func rejectsMalformedFile(text: String, expected: String) {
    #expect(errorDescription(.formatJS, Array(text.utf8)) == expected)
  }
}

@Suite struct StringsFileAppleTests {
  @Test func roundTrips() throws {
    try expectRoundTrip(
      #"""
      /* Title of the shop
         screen */
      "buy" = "Acheter";

      // MARK: Prices
      /* Short */
      "%d%% off" = "%d %% \"off\"\n";
      price.net = "net";
      "OK";
      "OK" = "twice";

      /*
        laid out
      */
      bare;

      /* the end */

      """#,
      .apple,
      [
        "3 buy = Acheter # Title of the shop\n   screen",
        "7 %d%% off = %d %% \"off\"\n comments=// /* # MARK: Prices # Short",
        "8 price.net = net form=bare", "9 OK = OK form=short", "10 OK = twice",
        "15 bare = bare form=bare short # \n  laid out\n",
      ]
    )
  }

  @Test(arguments: [
    (
      "at the end of lines",
      """
      "a" = "1"; // about a
      "b" = "2"; /* about b */ // and more

      /* above c */
      // twice
      "c" = "3"; // about c
      d; /* of
      d */
      e;

      /* end */

      """,
      [
        "1 a = 1 comments=;// # about a", "2 b = 2 comments=;/* ;// # about b # and more",
        "6 c = 3 comments=/* // ;// # above c # twice # about c",
        "7 d = d comments=;/* form=bare short # of\nd", "9 e = e form=bare short",
      ],
      []
    ),
    (
      "a license",
      """
      // License
      /*
       * of two
       */

      /* about a */
      "a" = "1";

      """,
      ["7 a = 1 # about a"],
      ["#comment= License ", "#comment=\n * of two\n ", "headingComments=// /*"]
    ),
    ("a license alone", "/* License */\n\n", [], ["#comment= License "]),
    ("no license", "/* about a */\n\"a\" = \"1\";\n", ["2 a = 1 # about a"], []),
  ])
  func preservesPositionsOfComments(name: String, text: String, entries: [String], attributes: [String])
    throws
  {
    try expectRoundTrip(text, .apple, entries)
    #expect(try read(text, .apple).attributes.map { "\($0.name)=\($0.value)" } == attributes)
  }

  @Test(arguments: [
    (
      "before an entry of the same line", "a; /* b */ b;",
      ["1 a = a form=bare short", "1 b = b form=bare short # b"]
    ),
    ("in an entry", "a /* c */ = 1;\nb;", ["1 a = 1 form=bare # c", "2 b = b form=bare short"]),
    ("after the last entry, without a line break", "a; // c", ["1 a = a comments=;// form=bare short # c"]),
  ])
  func assignsCommentsToEntries(name: String, text: String, expected: [String]) throws {
    #expect(try read(text, .apple).entries.map(line) == expected)
  }

  @Test(arguments: [
    (#""k"="v";"#, "v"), ("'k' = 'a\"b';", "a\"b"), ("\"k\" = \"two\nlines\";", "two\nlines"),
    (#""k" = "\U00e9\u00E9\Ue9";"#, "ééé"), (#""k" = "\Ud83d\Ude00";"#, "😀"),
    (#""k" = "\251\101\7x";"#, "’A\u{7}x"), (#""k" = "\a\b\f\v\r\t";"#, "\u{7}\u{8}\u{C}\u{B}\r\t"),
    (#""k" = "\'\%\é\\";"#, "'%é\\"), ("\"k\" = \"a\\\nb\";", "a\nb"), ("k/**/=//x\r\nv/*y*/;", "v"),
    ("\u{FEFF}\"k\" = \"v\";", "v"), ("\u{2028}\"k\" = \"\u{2028}\";", "\u{2028}"),
  ])
  func resolvesEscapeSequences(text: String, expected: String) throws {
    let file = try read(text, .apple)
    #expect(file.entries.map(\.localizations).first?["fr"]?.value == .text(expected))
    let again = try read(file.text(), .apple)
    #expect(again.entries.map(\.localizations).first?["fr"]?.value == .text(expected))
  }

  @Test func roundTripsPropertyList() throws {
    try expectRoundTrip(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!--Do not edit.-->
      <plist version="1.0">
        <dict>
          <!-- Button -->
          <key>buy</key>
          <string>A &amp; B
      &lt;b&gt;</string>
          <key></key>
          <string></string>
          <!-- end -->
        </dict>
      </plist>

      """,
      .apple,
      ["7 buy = A & B\n<b> # Button", "10  = "]
    )
    let bare = "<plist><dict><key>k</key><string><![CDATA[<v>]]></string></dict></plist>"
    #expect(
      try read(bare, .apple).text().hasSuffix(
        "<plist version=\"1.0\">\n<dict>\n<key>k</key>\n<string>&lt;v&gt;</string>\n</dict>\n</plist>\n"
      )
    )
  }

  @Test(arguments: [
    (
      "\"a\" = \"1\"\n\"b\" = \"2\";",
      #"line 2, key "a": expected ; after the value, not "\""; end each entry with ;, and write " inside a value as \""#
    ),
    (
      #""a" "b";"#,
      #"line 1, key "a": expected = after the key, not "\""; write "key" = "value";"#
    ),
    (
      "\"a\" = \"b;\n",
      #"line 1, key "a": the string is not closed; close it with a quotation mark, and write " inside it as \""#
    ),
    ("\n/* a", "line 2: the comment is not closed; close it with */"),
    (
      "{ a = b; }",
      #"line 1: expected a key, not "{"; remove the braces, and write each entry as "key" = "value";"#
    ),
    (
      "a = ( b );",
      #"line 1, key "a": expected a value, not "("; write the value in quotation marks, and move plurals to a .stringsdict file or a string catalog"#
    ),
    (
      #""a" = "\Ud83d";"#,
      #"line 1, key "a": an escape sequence contains an unpaired surrogate; write the character itself"#
    ),
    (
      #""a" = "\Ux";"#,
      #"line 1, key "a": \U is not followed by hexadecimal digits; write the character itself"#
    ),
    ("“a” = b;", #"line 1: expected a key, not "“"; write "key" = "value";"#),
    ("a =", #"line 1, key "a": expected a value, but the file ends; write "key" = "value";"#),
    (
      "bplist00",
      "the binary property list is damaged; write it again, or convert it to XML with: plutil -convert xml1"
    ),
    (
      "<plist>\n<dict><key>a</key>\n<dict/></dict></plist>",
      #"line 3, key "a": expected a <string>, not <dict>; write one <string> for each <key>, and move plurals to a .stringsdict file or a string catalog"#
    ),
    (
      "<plist><dict><key>a</key></dict></plist>",
      #"line 1, key "a": a <key> has no <string>; add a <string> after it"#
    ),
    ("<plist></plist>", "line 1: the property list has no <dict>; write <plist><dict>…</dict></plist>"),
    (
      "<plist><dict><string>a</string></dict></plist>",
      "line 1: a <string> has no <key>; add a <key> before it"
    ),
    (
      "<plist><dict><key>a<b/></key></dict></plist>",
      "line 1: <b> is not allowed inside text; remove it"
    ),
    (
      "<plist>\n<dict>",
      "line 2: the XML is not well-formed (Premature end of data in tag dict line 2); correct the XML"
    ),
  ])
  func rejectsMalformedFile(text: String, expected: String) {
    #expect(errorDescription(.apple, Array(text.utf8)) == expected)
  }
}

@Suite struct StringsFileCatalogTests {
  private static let catalog = #"""
    {
      "sourceLanguage" : "en",
      "strings" : {
        "" : {

        },
        "%lld birds" : {
          "comment" : "Count",
          "extractionState" : "manual",
          "localizations" : {
            "de" : {
              "variations" : {
                "plural" : {
                  "one" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%lld Vogel"
                    }
                  },
                  "other" : {
                    "stringUnit" : {
                      "state" : "needs_review",
                      "value" : "%lld Vögel"
                    }
                  }
                }
              }
            },
            "en" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "%#@birds@"
              },
              "substitutions" : {
                "birds" : {
                  "argNum" : 1,
                  "formatSpecifier" : "lld",
                  "variations" : {
                    "plural" : {
                      "other" : {
                        "stringUnit" : {
                          "state" : "translated",
                          "value" : "%arg birds"
                        }
                      }
                    }
                  }
                }
              }
            },
            "zh-Hans" : {
              "variations" : {
                "device" : {
                  "iphone" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "点/按"
                    }
                  },
                  "other" : {
                    "stringUnit" : {
                      "state" : "new",
                      "value" : "击"
                    }
                  }
                }
              }
            },
            "zh-HK" : {
              "stringSet" : {
                "state" : "translated",
                "values" : [
                  "x"
                ]
              }
            }
          }
        },
        "©" : {
          "shouldTranslate" : false
        }
      },
      "version" : "1.0"
    }
    """#

  @Test func roundTrips() throws {
    try expectRoundTrip(
      Self.catalog,
      .stringCatalog,
      [
        "4  = ",
        "7 %lld birds = de: [one: %lld Vogel (translated), other: %lld Vögel (needs_review)]; "
          + "en: %#@birds@ with birds 1 lld [other: %arg birds] (translated); "
          + "zh-Hans: <iphone: 点/按 (translated), other: 击 (new)> extractionState=\"manual\" "
          + "localizations={\"zh-HK\":{\"stringSet\":{\"state\":\"translated\",\"values\":[\"x\"]}}} # Count",
        "79 © =  untranslatable",
      ]
    )
    let file = try read(Self.catalog, .stringCatalog, language: "de")
    #expect(file.language == "en")
    #expect(file.attributes == [.init(name: "version", value: "\"1.0\"")])
    #expect(file.entries[1].localizations["de"]?.line == 11)
  }

  @Test func writesSubstitutionsSharedByDevices() throws {
    let parts = [
      StringsFile.Substitution(
        name: "n",
        argument: nil,
        formatSpecifier: nil,
        value: .plural([.init(category: "other", text: "%arg")])
      )
    ]
    let value = StringsFile.Value.device([
      .init(device: "mac", value: .substituted("%#@n@ on a Mac", parts)),
      .init(device: "other", value: .substituted("%#@n@", parts), state: "new"),
    ])
    let entry = StringsFile.Entry(key: "k", localizations: ["en": .init(value, state: "translated")])
    let written = try StringsFile(format: .stringCatalog, language: "en", entries: [entry]).text()
    let again = try read(written, .stringCatalog).entries[0]
    #expect(
      line(again)
        == "4 k = en: <mac: %#@n@ on a Mac with n - - [other: %arg (translated)] (translated), other: %#@n@ with n - - [other: %arg (translated)] (new)>"
    )
    #expect(try read(written, .stringCatalog).text() == written)
  }

  @Test(arguments: [
    ("{}", "line 1: the field \"sourceLanguage\" is missing; add it"),
    (#"{"sourceLanguage":"en"}"#, "line 1: the field \"strings\" is missing; add it"),
    (
      "{\"sourceLanguage\":\"en\",\n\"strings\":[]}",
      "line 2: the field \"strings\" must be an object, not an array; use the structure that Xcode writes"
    ),
    (
      #"{"sourceLanguage":"en","strings":{"a":1}}"#,
      "line 1, key \"a\": the entry must be an object, not a number; use the structure that Xcode writes"
    ),
    (
      #"{"sourceLanguage":"en","strings":{"a":{"comment":1}}}"#,
      "line 1, key \"a\": the field \"comment\" must be a string, not a number; use the structure that Xcode writes"
    ),
    (
      #"{"sourceLanguage":"en","strings":{"a":{"localizations":{"de":"x"}}}}"#,
      "line 1, key \"a\": the localization must be an object, not a string; use the structure that Xcode writes"
    ),
  ])
  func rejectsMalformedFile(text: String, expected: String) {
    #expect(errorDescription(.stringCatalog, Array(text.utf8)) == expected)
  }
}

@Suite struct StringsFileAndroidTests {
  @Test func roundTrips() throws {
    try expectRoundTrip(
      #"""
      <?xml version="1.0" encoding="utf-8"?>
      <!-- License -->
      <resources xmlns:tools="http://schemas.android.com/tools" xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
          <!-- Name
               of the app -->
          <string name="app" translatable="false" tools:ignore="X">Shop</string>
          <string name="it" formatted="false">It\'s \"it\" @ 5 &lt; 6 &amp; 7\n</string>
          <string name="mark">Buy <b>now</b> for <xliff:g id="price" example="$1">%1$s</xliff:g><br/> &amp; &lt;i&gt;</string>
          <string name="data"><![CDATA[<a href=\"x\">it\'s & that</a>]]></string>
          <string name="html">&lt;b&gt;hi&lt;/b&gt;</string>
          <string name="alias">@string/app</string>
          <string name="text">\@string/app</string>
          <plurals name="days">
              <item quantity="one" tools:ignore="Y">%d day</item>
              <item quantity="other">%d days</item>
          </plurals>
          <string-array name="steps">
              <item>\?</item>
              <item></item>
          </string-array>
          <!-- end -->
      </resources>

      """#,
      .android,
      [
        "6 app = Shop untranslatable tools:ignore=X # Name\n         of the app",
        "7 it = It's \"it\" @ 5 < 6 & 7\n formatted=false",
        #"8 mark = Buy <b>now</b> for <xliff:g id="price" example="$1">%1$s</xliff:g><br/> &amp; &lt;i&gt;"#,
        "9 data = <![CDATA[<a href=\"x\">it's & that</a>]]>",
        "10 html = &lt;b&gt;hi&lt;/b&gt;", "11 alias = @string/app", #"12 text = \@string/app"#,
        "13 days = [one: %d day, other: %d days] item 1 tools:ignore=Y", "17 steps = (?, )",
      ]
    )
  }

  @Test(arguments: [
    (
      "comments and instructions around",
      """
      <!-- License -->
      <?before a="1"?>
      <!-- of two -->
      <resources>
          <string name="a">1</string>
          <!-- end -->
      </resources>
      <!-- after -->
      <?after?>

      """,
      ["6 a = 1"]
    ),
    (
      "other elements",
      """
      <resources xmlns:tools="http://schemas.android.com/tools">
          <!-- Group -->
          <eat-comment/>
          <!-- about a -->
          <string name="a">1</string>
          <skip/>
          <bool name="b" tools:ignore="X">true</bool>
          <!-- Color -->
          <color name="c">#fff</color>
          <?keep this?>
          <item type="id" name="d"/>
          <integer-array name="e">
              <!-- one -->
              <item>1</item>
              <?keep that?>
              <item><![CDATA[2]]> &amp; &lt;</item>
          </integer-array>
          <string name="f">2</string>
          <dimen name="g">1dp</dimen>
          <!-- end -->
      </resources>

      """,
      [
        "6 a = 1 #xml=<!-- Group --> #xml=<eat-comment/> # about a",
        "19 f = 2 #xml=<skip/> #xml=<bool name=\"b\" tools:ignore=\"X\">true</bool> #xml=<!-- Color -->"
          + " #xml=<color name=\"c\">#fff</color> #xml=<?keep this?> #xml=<item type=\"id\" name=\"d\"/>"
          + " #xml=<integer-array name=\"e\">\n        <!-- one -->\n        <item>1</item>\n"
          + "        <?keep that?>\n        <item><![CDATA[2]]> &amp; &lt;</item>\n    </integer-array>",
      ]
    ),
    (
      "comments before items",
      """
      <resources>
          <!-- above -->
          <plurals name="p">
              <!-- first -->
              <item quantity="one">a</item>
              <!-- second -->
              <!-- twice -->
              <item quantity="other" tools:x="y">b</item>
              <!-- last -->
          </plurals>
          <string-array name="s">
      \((1...11).map { "        <!-- \($0) -->\n        <item a=\"\($0)\">\($0)</item>" }.joined(separator: "\n"))
          </string-array>
      </resources>

      """,
      [
        "4 p = [one: a, other: b] item 1 #comment= first  item 2 #comment= second  item 2 #comment= twice "
          + " item 2 tools:x=y item 3 #comment= last  # above",
        "12 s = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)"
          + (1...11).map { " item \($0) #comment= \($0)  item \($0) a=\($0)" }.joined(),
      ]
    ),
  ])
  func preservesCommentsAndOtherElements(name: String, text: String, expected: [String]) throws {
    try expectRoundTrip("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + text, .android, expected)
  }

  @Test(arguments: ["<skip>", "</resources>", "</r><r>", "&x;", "\u{1}"])
  func rejectsMalformedXMLAttribute(xml: String) throws {
    let file = StringsFile(
      format: .android,
      language: "",
      entries: [],
      attributes: [.init(name: "#xml", value: xml)]
    )
    let error = try #require(throws: StringsError.self) { try file.text() }
    #expect(error.code == .notRepresentable)
  }

  @Test(arguments: [
    ("collapsed white space", "  a \n\t b  ", "a b", "a b"),
    ("quoted spaces", "\"  a  \"", "  a  ", #"\u0020\u0020a \u0020"#),
    ("an escaped space", #"\u0020a\u0020"#, " a ", #"\u0020a\u0020"#),
    ("a quoted apostrophe", "\"it's\"", "it's", #"it\'s"#), ("a bare apostrophe", "it's", "it's", #"it\'s"#),
    ("a no-break space", "a\u{A0}\u{A0}b", "a\u{A0}\u{A0}b", "a\u{A0}\u{A0}b"),
    ("escapes", ##"\u00e9\t\n\\\#\?"##, "é\t\n\\#?", ##"é\t\n\\#?"##),
    ("a surrogate pair", #"\ud83d\ude00"#, "😀", "😀"),
    ("an unpaired surrogate", #"\ud83d"#, "\u{FFFD}", "\u{FFFD}"),
    ("a control character", #"\u0001"#, "\u{1}", #"\u0001"#), ("a backslash at the end", "\\", "\\", #"\\"#),
    ("an entity", "&#65;&gt;&quot;", "A>", "A&gt;"),
    ("an ampersand", "A &amp;lt; C", "A &amp;lt; C", "A &amp;lt; C"),
    ("AT&T", "AT&amp;T", "AT&T", "AT&amp;T"), ("a lone tag", "&lt;b x", "<b x", "&lt;b x"),
    ("a space before a tag", "a <b> b </b>", "a <b>b</b>", "a <b>b</b>"),
    ("a comment", "a<!-- c -->b", "a<!-- c -->b", "a<!-- c -->b"),
    (
      "the end of character data", #"<![CDATA[]]\u003e]]>"#, "<![CDATA[]]]]><![CDATA[>]]>",
      #"<![CDATA[]]\u003e]]>"#
    ),
    ("an unknown prefix", "<x:g>a</x:g>", "<x:g>a</x:g>", "<x:g>a</x:g>"),
    ("a theme attribute", "?attr/x", "?attr/x", "?attr/x"),
    ("a question", "? a/b c", "? a/b c", #"\? a/b c"#),
  ])
  func convertsText(name: String, xml: String, text: String, canonicalXML: String) throws {
    let file = try read("<resources><string name=\"k\">\(xml)</string></resources>", .android)
    #expect(file.entries[0].localizations["fr"]?.value == .text(text))
    let written = try file.text()
    #expect(written.contains("<string name=\"k\">\(canonicalXML)</string>"), "\(written)")
    #expect(try read(written, .android).entries[0].localizations["fr"]?.value == .text(text))
  }

  @Test(arguments: [
    (
      "<resources><string>a</string></resources>",
      "line 1: the attribute \"name\" of <string> is missing; add it"
    ),
    (
      "<resources><plurals name=\"p\"><item>a</item></plurals></resources>",
      #"line 1, key "p": the attribute "quantity" of <item> is missing; add it, such as quantity="one" or quantity="other""#
    ),
    (
      "<resources><string name=\"p\">a<?b?></string></resources>",
      #"line 1, key "p": a processing instruction is not allowed here; remove it"#
    ),
    (
      "<resources><plurals name=\"p\"><?b?></plurals></resources>",
      #"line 1, key "p": a processing instruction is not allowed here; write text inside <item>"#
    ),
    (
      "<resources>&gt;</resources>",
      "line 1: text is not allowed here; write text inside <string> or <item>"
    ),
    (
      "<resources><string-array name=\"p\"><b/></string-array></resources>",
      #"line 1, key "p": <b> is not allowed here; write text inside <item>"#
    ),
    ("<a/>", "line 1: <a> is not allowed here; use <resources> as the root element"),
    (
      "<resources>\n<string name=\"a\">x</resources>",
      "line 2: the XML is not well-formed (Opening and ending tag mismatch: string line 2 and resources); correct the XML"
    ),
    (
      "<!DOCTYPE r [<!ENTITY a \"b\">]><resources/>",
      "line 1: the document type declares entities or elements; remove everything from [ to ], and write the characters themselves"
    ),
    (
      "<!DOCTYPE r SYSTEM \"file:///etc/passwd\">\n<resources><string name=\"a\">&b;</string></resources>",
      "line 2: the XML is not well-formed (Entity 'b' not defined); correct the XML"
    ),
    (
      "<resources>" + String(repeating: "<a>", count: 70),
      "line 1: elements are nested more than 64 deep; nest them less"
    ),
    (
      "<resources " + (0..<70).map { "a\($0)=''" }.joined(separator: " ") + "/>",
      "line 1: a tag has more than 64 KB or 64 attributes; write shorter tags with fewer attributes"
    ),
    ("", "line 1: the XML is not well-formed (Document is empty); correct the XML"),
  ])
  func rejectsMalformedFile(text: String, expected: String) {
    #expect(errorDescription(.android, Array(text.utf8)) == expected)
  }
}

@Suite struct StringsFileTests {
  @Test(arguments: [
    (
      "UTF-16, little endian", [0xFF, 0xFE, 0x6B, 0, 0x3D, 0, 0x3D, 0xD8, 0x00, 0xDE, 0x3B, 0],
      "line 1, key \"k\": expected a value, not \"😀\"; write \"key\" = \"value\";"
    ),
    ("UTF-16, big endian", [0xFE, 0xFF, 0, 0x6B, 0, 0x3B], "no error"),
    (
      "UTF-16 of an odd length", [0xFE, 0xFF, 0, 0x6B, 0],
      "line 1: the UTF-16 text contains an unpaired surrogate or ends within a character; save the file as UTF-8"
    ),
    (
      "UTF-16 with an unpaired surrogate", [0xFE, 0xFF, 0, 0x0A, 0xD8, 0x3D],
      "line 2: the UTF-16 text contains an unpaired surrogate or ends within a character; save the file as UTF-8"
    ),
    (
      "UTF-32", [0xFF, 0xFE, 0, 0, 0x6B, 0, 0, 0], "line 1: the file is UTF-32, not UTF-8; save it as UTF-8"
    ),
    ("UTF-8 with a mark", [0xEF, 0xBB, 0xBF, 0x6B, 0x3B], "no error"),
    (
      "Latin 1", [0x6B, 0x3B, 0x0A, 0x22, 0xE9, 0x22],
      "line 2: the byte 0xE9 is not UTF-8; save the file as UTF-8"
    ),
  ])
  func checksEncoding(name: String, bytes: [UInt8], expected: String) {
    #expect(errorDescription(.apple, bytes) == expected)
  }

  static let binary: [(name: String, bytes: String, expected: String)] = [
    (
      "strings in ASCII, in UTF-16 and with a long count",
      "62706c6973743030d3010203040506516b6100e9546c6f6e6757416368657465726565e5672c0020d83dde005f1014787878787878787878"
        + "7878787878787878787878080f111419212c0000000000000101000000000000000700000000000000000000000000000043",
      "k = Acheter, \u{E9} = \u{65E5}\u{672C} \u{1F600}, long = xxxxxxxxxxxxxxxxxxxx"
    ),
    (
      "a plural",
      "62706c6973743030d10102516bd10304536f6e655161080b0d10140000000000000101000000000000000500000000000000000000000000000016",
      #"key "k": the value is not a string; use a string for each key, and move plurals to a .stringsdict file or a string catalog"#
    ),
    (
      "an array",
      "62706c6973743030a1015161080a000000000000010100000000000000020000000000000000000000000000000c",
      "the binary property list does not contain a dictionary; use a dictionary with a string for each key"
    ),
  ]

  @Test(arguments: binary)
  func readsBinaryPropertyList(name: String, bytes: String, expected: String) throws {
    let bytes = Self.bytes(bytes)
    do throws(StringsError) {
      let file = try StringsFile(bytes, format: .apple, language: "fr")
      #expect(file.entries.map { "\($0.key) = \(text(of: $0))" }.joined(separator: ", ") == expected)
      let again = try StringsFile(Array(try file.text().utf8), format: .apple, language: "fr")
      #expect(again.entries.map(\.key) == file.entries.map(\.key))
    } catch { #expect("\(error)" == expected) }
  }

  private func text(of entry: StringsFile.Entry) -> String {
    if case .text(let text)? = entry.localizations["fr"]?.value { text } else { "" }
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8).map { Character(Unicode.Scalar($0)).hexDigitValue ?? 0 }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  /// Reads the file with each byte replaced by several values, and each prefix of the file. The result is an error or
  /// some strings, never a crash.
  @Test func rejectsDamagedBinaryPropertyList() {
    let bytes = Self.bytes(Self.binary[0].bytes)
    var count = 0
    for place in bytes.indices.dropFirst(6) {
      for value in [0, 1, 0x0F, 0x10, 0x5F, 0x7F, 0x80, 0xD1, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[place] = value
        if (try? StringsFile(damaged, format: .apple)) == nil { count += 1 }
      }
      if (try? StringsFile(Array(bytes[..<place]), format: .apple)) == nil { count += 1 }
    }
    #expect(count > bytes.count)
  }

  @Test(arguments: StringsFile.Format.allCases)
  func acceptsUTF16OnlyInAppleStrings(format: StringsFile.Format) {
    let expected = format == .apple ? "no error" : "line 1: the file is UTF-16, not UTF-8; save it as UTF-8"
    #expect(errorDescription(format, [0xFF, 0xFE]) == expected)
  }

  @Test(arguments: [
    ("fr.lproj/Localizable.strings", "fr"), ("/a/zh_Hans.lproj/L.strings", "zh-Hans"),
    ("Base.lproj/Main.strings", ""), ("app__r__pt-BR.lproj__Localizable.strings", "pt-BR"),
    ("a/x__en_AU.lproj__L.strings", "en-AU"), ("Localizable.strings", ""), ("English.lproj/L.strings", ""),
    ("res/values/strings.xml", ""), ("res/values-fr/strings.xml", "fr"),
    ("values-pt-rBR/strings.xml", "pt-BR"),
    ("values-b+sr+Latn/strings.xml", "sr-Latn"), ("values-b+es+419/strings.xml", "es-419"),
    ("values-mcc310-en-rUS-land/strings.xml", "en-US"), ("values-night/strings.xml", ""),
    ("values-car/strings.xml", ""), ("values-land/strings.xml", ""), ("values-v21/strings.xml", ""),
    ("values-fil-ldrtl/strings.xml", "fil"), ("fr-CA.json", "fr-CA"), ("lang/messages.fr.json", "fr"),
    ("messages.json", ""), ("sr_latn_rs.json", "sr-Latn-RS"), ("es-419.json", "es-419"), (".json", ""),
    ("", ""),
  ])
  func detectsLanguageOfPath(path: String, expected: String) {
    #expect(StringsFile.language(ofPath: path) == expected)
  }

  @Test(
    arguments: [
      (
        "/nowhere/fr.json", nil,
        "/nowhere/fr.json: cannot read the file: No such file or directory; check the path"
      ),
      (
        "/nowhere/fr.po", nil,
        #"/nowhere/fr.po: unknown file name extension ".po"; use one of .json, .strings, .xcstrings, .xml"#
      ),
      (
        "fr", nil,
        "fr: the file name has no extension; use one of .json, .strings, .xcstrings, .xml"
      ),
      (
        "/dev/zero", .apple,
        "/dev/zero: cannot read the file: it is a folder, a pipe or a device; use a regular file"
      ),
      (
        "/tmp", .apple,
        "/tmp: cannot read the file: it is a folder, a pipe or a device; use a regular file"
      ),
    ] as [(String, StringsFile.Format?, String)]
  )
  func rejectsPath(path: String, format: StringsFile.Format?, expected: String) throws {
    let error = try #require(throws: StringsError.self) { try StringsFile(contentsOf: path, format: format) }
    #expect("\(error)" == expected)
  }

  @Test func readsFileAndReportsItsPath() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)/de.lproj")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let path = folder.appending(path: "L.strings")
    try Data("k = v;".utf8).write(to: path)
    #expect(try StringsFile(contentsOf: path.path).language == "de")
    #expect(try StringsFile(contentsOf: path.path, language: "gsw").language == "gsw")
    try Data("k = ".utf8).write(to: path)
    let error = try #require(throws: StringsError.self) { try StringsFile(contentsOf: path.path) }
    #expect(error.place == "\(path.path), line 1, key \"k\"")
  }

  @Test(
    arguments: [
      (
        .apple, .plural([]),
        "a plural cannot be represented in a .strings file; write the plural inside a message, or use another format for the string"
      ),
      (
        .formatJS, .array([]),
        "an array cannot be represented in a FormatJS file; write one entry per item, or use Android's strings.xml for the array"
      ),
      (
        .android, .device([]),
        "a variation by device cannot be represented in an Android strings file; use a string catalog for the string"
      ),
      (
        .stringCatalog, .array([]),
        "an array cannot be represented in a string catalog; write one entry per item, or use Android's strings.xml for the array"
      ),
      (
        .apple, .substituted("", []),
        "a substitution cannot be represented in a .strings file; use a string catalog for the string"
      ),
    ] as [(StringsFile.Format, StringsFile.Value, String)]
  )
  func rejectsUnsupportedValue(format: StringsFile.Format, value: StringsFile.Value, expected: String) throws
  {
    let entry = StringsFile.Entry(key: "k", localizations: ["fr": .init(value)])
    let error = try #require(throws: StringsError.self) {
      try StringsFile(format: format, language: "fr", entries: [entry]).text()
    }
    #expect(error.code == .notRepresentable)
    #expect("\(error)" == "key \"k\": \(expected)")
  }

  @Test(arguments: [StringsFile.Format.apple, .formatJS, .android])
  func rejectsSeveralLanguages(format: StringsFile.Format) throws {
    let two = StringsFile.Entry(key: "k", localizations: ["fr": .init(.text("a")), "de": .init(.text("b"))])
    var file = StringsFile(format: format, language: "fr", entries: [two])
    let error = try #require(throws: StringsError.self) { try file.text() }
    #expect(error.description.contains(#"several languages ("de", "fr") cannot be represented in a"#))
    #expect(error.description.hasSuffix("; write one file per language"))
    file.entries = [.init(key: "k", localizations: [:])]
    let missing = try #require(throws: StringsError.self) { try file.text() }
    #expect("\(missing)" == "key \"k\": the text is missing; add it, or remove the entry")
  }

  @Test func separatesHyphensInXMLComments() throws {
    let entry = StringsFile.Entry(key: "k", comments: ["a -- b-"], localizations: ["": .init(.text("\u{1}"))])
    #expect(
      try StringsFile(format: .android, language: "", entries: [entry]).text().contains("<!-- a - - b- -->")
    )
    let list = StringsFile(
      format: .apple,
      language: "",
      entries: [entry],
      attributes: [.init(name: "plist", value: "\t")]
    )
    let error = try #require(throws: StringsError.self) { try list.text() }
    #expect(
      "\(error)"
        == "key \"k\": the text contains a character that XML does not allow; remove control characters"
    )
  }

  /// A comment that contains `*/` is written as line comments.
  @Test func writesCommentWithClosingDelimiter() throws {
    let entry = StringsFile.Entry(key: "k", comments: ["a */ b\nc"], localizations: ["": .init(.text("v"))])
    let text = try StringsFile(format: .apple, language: "", entries: [entry]).text()
    #expect(text == "// a */ b\n// c\n\"k\" = \"v\";\n")
  }

  /// Inputs for which a naive parser takes quadratic time.
  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      ("<resources><!--", "- x "), ("<resources><string name='a'>", "a &amp; "), ("<resources a='", "x"),
      ("<resources>", "<string name='a'/>"), ("<", "<"), ("<!DOCTYPE ", "\"'"),
      ("<resources><string name='a'>", "\\u0020 "),
      ("<resources><string name='a'>", "<b>a</b>"), ("<resources><string name='a'><![CDATA[", "]] "),
    ]
  )
  func parsesLongXMLInLinearTime(start: String, rest: String) {
    let text = start + String(repeating: rest, count: 200_000 / rest.utf8.count)
    for end in ["", "</string></resources>", "--></resources>", "]]></string></resources>"] {
      _ = try? read(text + end, .android)
      _ = try? read(text + end, .apple)
    }
  }

  @Test(
    arguments: [
      ("", "/* */ ", 0), ("", "//\n", 0), ("/*", "* ", nil), ("", "a;", 10_000), ("\"", "\\\"", nil),
      ("", "\"", nil), ("\"a\" = \"", "\\U", nil), ("", "k = v; // c\n", 1_666), ("", "k; /* c */ ", 1_818),
    ] as [(String, String, Int?)]
  )
  func parsesLongAppleStrings(start: String, rest: String, entries: Int?) throws {
    let text = start + String(repeating: rest, count: 20_000 / rest.utf8.count)
    let file = try? read(text, .apple)
    #expect(file?.entries.count == entries)
    if let file { #expect(try read(file.text(), .apple).entries.count == entries) }
  }
}
