import Foundation
import PriceTag
import PriceTagStrings
import PriceTagText
import Testing

@testable import PriceTagStringFiles

/// Reads text as a file of a format.
private func read(
  _ text: String,
  _ format: StringsFile.Format,
  language: String = "fr"
) throws(StringsError) -> StringsFile {
  try StringsFile(Array(text.utf8), format: format, language: language)
}

/// An entry as the tables below have it: `4 key = value # comment`.
private func line(_ entry: StringsFile.Entry) -> String {
  let values = entry.localizations.sorted { $0.key < $1.key }.map { language, localization in
    let state = localization.state.map { " (\($0))" } ?? ""
    return (language == "fr" ? "" : "\(language): ") + said(localization.value) + state
  }
  let comments = entry.comments.map { " # " + $0 }.joined()
  let attributes = entry.attributes.map { " \($0.name)=\($0.value)" }.joined()
  let translatable = entry.isTranslatable ? "" : " untranslatable"
  return
    "\(entry.line) \(entry.key) = \(values.joined(separator: "; "))\(translatable)\(attributes)\(comments)"
}

private func said(_ value: StringsFile.Value) -> String {
  switch value {
  case .text(let text): text
  case .plural(let branches):
    "["
      + branches.map { "\($0.category): \($0.text)\($0.state.map { " (\($0))" } ?? "")" }.joined(
        separator: ", "
      ) + "]"
  case .device(let devices):
    "<"
      + devices.map { "\($0.device): \(said($0.value))\($0.state.map { " (\($0))" } ?? "")" }.joined(
        separator: ", "
      ) + ">"
  case .substituted(let text, let parts):
    text + " with "
      + parts.map {
        "\($0.name) \($0.argument.map(String.init) ?? "-") \($0.formatSpecifier ?? "-") \(said($0.value))"
      }.joined(separator: ", ")
  case .array(let items): "(" + items.joined(separator: ", ") + ")"
  }
}

/// A file that is read, with what it says, and that is written again byte for byte.
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

private func refusal(_ format: StringsFile.Format, _ bytes: [UInt8]) -> String {
  do throws(StringsError) {
    _ = try StringsFile(bytes, format: format)
    return "is read"
  } catch {
    return "\(error)"
  }
}

@Suite struct StringsFileFormatJSTests {
  @Test func aFileIsReadAndWrittenAgain() throws {
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
  func whatCannotBeSeenIsEscaped(name: String, text: String, expected: String) throws {
    let file = try read("{\"k\": \(json(text))}", .formatJS)
    let written = try file.text()
    #expect(written == "{\n  \"k\": \"\(expected)\"\n}\n")
    #expect(try read(written, .formatJS).entries[0].localizations["fr"]?.value == .text(text))
  }

  /// The store's own strings.
  @Test func theStoresStringsStayAsTheyAre() throws {
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
      #"line 1, key "store": an object without "defaultMessage" stands where a message is expected: write the keys on one level, such as "store.buy""#
    ),
    (
      "{\n \"a\": 1}",
      #"line 2, key "a": a number stands where a message is expected: write a string, or an object with "defaultMessage""#
    ),
    (
      #"{"a": {"defaultMessage": []}}"#,
      #"line 1, key "a": "defaultMessage" is an array, not a string: write the message as text"#
    ),
    ("{\"a\": \"1\",\n\"a\": \"2\"}", #"line 2, column 1: the field "a" stands twice: correct the JSON"#),
    ("[]", "line 1: the file is an array, not an object: correct the JSON"),
    ("", "line 1, column 1: the text ends where a value is expected: correct the JSON"),
  ])
  func malformed(text: String, expected: String) {
    #expect(refusal(.formatJS, Array(text.utf8)) == expected)
  }
}

@Suite struct StringsFileAppleTests {
  @Test func aFileIsReadAndWrittenAgain() throws {
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
      "behind their entries",
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
      "a licence",
      """
      // Licence
      /*
       * of two
       */

      /* about a */
      "a" = "1";

      """,
      ["7 a = 1 # about a"],
      ["#comment= Licence ", "#comment=\n * of two\n ", "headingComments=// /*"]
    ),
    ("a licence alone", "/* Licence */\n\n", [], ["#comment= Licence "]),
    ("no licence", "/* about a */\n\"a\" = \"1\";\n", ["2 a = 1 # about a"], []),
  ])
  func commentsStayInTheirPlace(name: String, text: String, entries: [String], attributes: [String]) throws {
    try expectRoundTrip(text, .apple, entries)
    #expect(try read(text, .apple).attributes.map { "\($0.name)=\($0.value)" } == attributes)
  }

  @Test(arguments: [
    (
      "before an entry of the same line", "a; /* b */ b;",
      ["1 a = a form=bare short", "1 b = b form=bare short # b"]
    ),
    ("in an entry", "a /* c */ = 1;\nb;", ["1 a = 1 form=bare # c", "2 b = b form=bare short"]),
    ("behind the last entry, without a line break", "a; // c", ["1 a = a comments=;// form=bare short # c"]),
  ])
  func whoseACommentIs(name: String, text: String, expected: [String]) throws {
    #expect(try read(text, .apple).entries.map(line) == expected)
  }

  @Test(arguments: [
    (#""k"="v";"#, "v"), ("'k' = 'a\"b';", "a\"b"), ("\"k\" = \"two\nlines\";", "two\nlines"),
    (#""k" = "\U00e9\u00E9\Ue9";"#, "ééé"), (#""k" = "\Ud83d\Ude00";"#, "😀"),
    (#""k" = "\251\101\7x";"#, "’A\u{7}x"), (#""k" = "\a\b\f\v\r\t";"#, "\u{7}\u{8}\u{C}\u{B}\r\t"),
    (#""k" = "\'\%\é\\";"#, "'%é\\"), ("\"k\" = \"a\\\nb\";", "a\nb"), ("k/**/=//x\r\nv/*y*/;", "v"),
    ("\u{FEFF}\"k\" = \"v\";", "v"), ("\u{2028}\"k\" = \"\u{2028}\";", "\u{2028}"),
  ])
  func escapes(text: String, expected: String) throws {
    let file = try read(text, .apple)
    #expect(file.entries.map(\.localizations).first?["fr"]?.value == .text(expected))
    let again = try read(file.text(), .apple)
    #expect(again.entries.map(\.localizations).first?["fr"]?.value == .text(expected))
  }

  @Test func aPropertyListStaysOne() throws {
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
      #"line 2, key "a": "\"" stands where ; behind the value is expected: end every entry with ;, and write " in a value as \""#
    ),
    (
      #""a" "b";"#,
      #"line 1, key "a": "\"" stands where = behind the key is expected: write "key" = "value";"#
    ),
    (
      "\"a\" = \"b;\n",
      #"line 1, key "a": a text is not closed: close it with a quotation mark, and write " in it as \""#
    ),
    ("\n/* a", "line 2: a comment is not closed: close it with */"),
    (
      "{ a = b; }",
      #"line 1: "{" stands where a key is expected: write entries alone, "key" = "value";, without braces around them"#
    ),
    (
      "a = ( b );",
      #"line 1, key "a": "(" stands where a value is expected: write a text in quotation marks, and keep plurals in a .stringsdict file or a string catalogue"#
    ),
    (
      #""a" = "\Ud83d";"#,
      #"line 1, key "a": half a character stands alone in an escape: write the character itself"#
    ),
    (#""a" = "\Ux";"#, #"line 1, key "a": \U has no hexadecimal digits: write the character itself"#),
    ("“a” = b;", #"line 1: "“" stands where a key is expected: write "key" = "value";"#),
    ("a =", #"line 1, key "a": the file ends where a value is expected: write "key" = "value";"#),
    (
      "bplist00",
      "the binary property list is damaged: write it again, or give it as XML (plutil -convert xml1)"
    ),
    (
      "<plist>\n<dict><key>a</key>\n<dict/></dict></plist>",
      #"line 3, key "a": <dict> stands where a <string> is expected: write one <string> for each <key>, and keep plurals in a .stringsdict file or a string catalogue"#
    ),
    (
      "<plist><dict><key>a</key></dict></plist>",
      #"line 1, key "a": a <key> has no <string>: write a <string> behind it"#
    ),
    ("<plist></plist>", "line 1: the property list has no <dict>: write <plist><dict>…</dict></plist>"),
    (
      "<plist><dict><string>a</string></dict></plist>",
      "line 1: a <string> stands without a <key>: write a <key> before it"
    ),
    (
      "<plist><dict><key>a<b/></key></dict></plist>",
      "line 1: <b> stands inside text: write text alone"
    ),
    (
      "<plist>\n<dict>",
      "line 2: the XML is not well-formed (Premature end of data in tag dict line 2): correct the XML"
    ),
  ])
  func malformed(text: String, expected: String) {
    #expect(refusal(.apple, Array(text.utf8)) == expected)
  }
}

@Suite struct StringsFileCatalogueTests {
  private static let catalogue = #"""
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

  @Test func aFileIsReadAndWrittenAgain() throws {
    try expectRoundTrip(
      Self.catalogue,
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
    let file = try read(Self.catalogue, .stringCatalog, language: "de")
    #expect(file.language == "en")
    #expect(file.attributes == [.init(name: "version", value: "\"1.0\"")])
    #expect(file.entries[1].localizations["de"]?.line == 11)
  }

  @Test func theSameSubstitutionsStandBesideTheDevices() throws {
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
    ("{}", "line 1: \"sourceLanguage\" is missing: write what Xcode writes"),
    (#"{"sourceLanguage":"en"}"#, "line 1: \"strings\" is missing: write what Xcode writes"),
    (
      "{\"sourceLanguage\":\"en\",\n\"strings\":[]}",
      "line 2: an array stands where \"strings\" is expected: write what Xcode writes"
    ),
    (
      #"{"sourceLanguage":"en","strings":{"a":1}}"#,
      "line 1, key \"a\": a number stands where an object is expected: write what Xcode writes"
    ),
    (
      #"{"sourceLanguage":"en","strings":{"a":{"comment":1}}}"#,
      "line 1, key \"a\": \"comment\" is a number: write what Xcode writes"
    ),
    (
      #"{"sourceLanguage":"en","strings":{"a":{"localizations":{"de":"x"}}}}"#,
      "line 1, key \"a\": a string stands where a localization is expected: write what Xcode writes"
    ),
  ])
  func malformed(text: String, expected: String) {
    #expect(refusal(.stringCatalog, Array(text.utf8)) == expected)
  }
}

@Suite struct StringsFileAndroidTests {
  @Test func aFileIsReadAndWrittenAgain() throws {
    try expectRoundTrip(
      #"""
      <?xml version="1.0" encoding="utf-8"?>
      <!-- Licence -->
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
      <!-- Licence -->
      <?before a="1"?>
      <!-- of two -->
      <resources>
          <string name="a">1</string>
          <!-- end -->
      </resources>
      <!-- behind -->
      <?behind?>

      """,
      ["6 a = 1"]
    ),
    (
      "what is no string",
      """
      <resources xmlns:tools="http://schemas.android.com/tools">
          <!-- Group -->
          <eat-comment/>
          <!-- about a -->
          <string name="a">1</string>
          <skip/>
          <bool name="b" tools:ignore="X">true</bool>
          <!-- Colour -->
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
        "19 f = 2 #xml=<skip/> #xml=<bool name=\"b\" tools:ignore=\"X\">true</bool> #xml=<!-- Colour -->"
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
  func everythingStaysInItsPlace(name: String, text: String, expected: [String]) throws {
    try expectRoundTrip("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + text, .android, expected)
  }

  @Test(arguments: ["<skip>", "</resources>", "</r><r>", "&x;", "\u{1}"])
  func whatIsNoWholeXMLIsNotWritten(xml: String) throws {
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
    ("spaces drawn together", "  a \n\t b  ", "a b", "a b"),
    ("quoted spaces", "\"  a  \"", "  a  ", #"\u0020\u0020a \u0020"#),
    ("an escaped space", #"\u0020a\u0020"#, " a ", #"\u0020a\u0020"#),
    ("a quoted apostrophe", "\"it's\"", "it's", #"it\'s"#), ("a bare apostrophe", "it's", "it's", #"it\'s"#),
    ("a no-break space", "a\u{A0}\u{A0}b", "a\u{A0}\u{A0}b", "a\u{A0}\u{A0}b"),
    ("escapes", ##"\u00e9\t\n\\\#\?"##, "é\t\n\\#?", ##"é\t\n\\#?"##),
    ("a pair", #"\ud83d\ude00"#, "😀", "😀"), ("half a pair", #"\ud83d"#, "\u{FFFD}", "\u{FFFD}"),
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
    ("an attribute of the theme", "?attr/x", "?attr/x", "?attr/x"),
    ("a question", "? a/b c", "? a/b c", #"\? a/b c"#),
  ])
  func texts(name: String, said: String, means: String, written: String) throws {
    let file = try read("<resources><string name=\"k\">\(said)</string></resources>", .android)
    #expect(file.entries[0].localizations["fr"]?.value == .text(means))
    let text = try file.text()
    #expect(text.contains("<string name=\"k\">\(written)</string>"), "\(text)")
    #expect(try read(text, .android).entries[0].localizations["fr"]?.value == .text(means))
  }

  @Test(arguments: [
    ("<resources><string>a</string></resources>", "line 1: <string> has no name: write name=\"…\""),
    (
      "<resources><plurals name=\"p\"><item>a</item></plurals></resources>",
      #"line 1, key "p": an <item> has no quantity: write quantity="one", quantity="other" and so on"#
    ),
    (
      "<resources><string name=\"p\">a<?b?></string></resources>",
      #"line 1, key "p": a processing instruction stands where it is not expected: remove it"#
    ),
    (
      "<resources><plurals name=\"p\"><?b?></plurals></resources>",
      #"line 1, key "p": a processing instruction stands where it is not expected: write the texts in <item>"#
    ),
    (
      "<resources>&gt;</resources>",
      "line 1: text stands where it is not expected: write text inside <string> or <item>"
    ),
    (
      "<resources><string-array name=\"p\"><b/></string-array></resources>",
      #"line 1, key "p": <b> stands where it is not expected: write the texts in <item>"#
    ),
    ("<a/>", "line 1: <a> stands where it is not expected: write <resources> with the strings inside"),
    (
      "<resources>\n<string name=\"a\">x</resources>",
      "line 2: the XML is not well-formed (Opening and ending tag mismatch: string line 2 and resources): correct the XML"
    ),
    (
      "<!DOCTYPE r [<!ENTITY a \"b\">]><resources/>",
      "line 1: the document type declares entities or elements: remove what stands between [ and ], and write the characters themselves"
    ),
    (
      "<!DOCTYPE r SYSTEM \"file:///etc/passwd\">\n<resources><string name=\"a\">&b;</string></resources>",
      "line 2: the XML is not well-formed (Entity 'b' not defined): correct the XML"
    ),
    (
      "<resources>" + String(repeating: "<a>", count: 70),
      "line 1: elements are nested more than 64 deep: nest them less"
    ),
    (
      "<resources " + (0..<70).map { "a\($0)=''" }.joined(separator: " ") + "/>",
      "line 1: a tag has more than 64 KB or 64 attributes: write shorter tags with fewer attributes"
    ),
    ("", "line 1: the XML is not well-formed (Document is empty): correct the XML"),
  ])
  func malformed(text: String, expected: String) {
    #expect(refusal(.android, Array(text.utf8)) == expected)
  }
}

@Suite struct StringsFileTests {
  @Test(arguments: [
    (
      "UTF-16, little endian", [0xFF, 0xFE, 0x6B, 0, 0x3D, 0, 0x3D, 0xD8, 0x00, 0xDE, 0x3B, 0],
      "line 1, key \"k\": \"😀\" stands where a value is expected: write \"key\" = \"value\";"
    ),
    ("UTF-16, big endian", [0xFE, 0xFF, 0, 0x6B, 0, 0x3B], "is read"),
    (
      "UTF-16 of an odd length", [0xFE, 0xFF, 0, 0x6B, 0],
      "line 1: half a character stands alone in the UTF-16: save the file as UTF-8"
    ),
    (
      "UTF-16 with half a pair", [0xFE, 0xFF, 0, 0x0A, 0xD8, 0x3D],
      "line 2: half a character stands alone in the UTF-16: save the file as UTF-8"
    ),
    (
      "UTF-32", [0xFF, 0xFE, 0, 0, 0x6B, 0, 0, 0], "line 1: the file is UTF-32: save the file as UTF-8"
    ),
    ("UTF-8 with a mark", [0xEF, 0xBB, 0xBF, 0x6B, 0x3B], "is read"),
    (
      "Latin 1", [0x6B, 0x3B, 0x0A, 0x22, 0xE9, 0x22],
      "line 2: the byte 0xE9 is not UTF-8: save the file as UTF-8"
    ),
  ])
  func encodings(name: String, bytes: [UInt8], expected: String) {
    #expect(refusal(.apple, bytes) == expected)
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
      #"key "k": the value of a key is no string: give one string for each key, and keep plurals in a .stringsdict file or a string catalog"#
    ),
    (
      "an array",
      "62706c6973743030a1015161080a000000000000010100000000000000020000000000000000000000000000000c",
      "the binary property list has no dictionary: give a dictionary with a string for each key"
    ),
  ]

  /// As Xcode puts it into an app.
  @Test(arguments: binary)
  func aBinaryPropertyListIsRead(name: String, bytes: String, expected: String) throws {
    let bytes = Self.bytes(bytes)
    do throws(StringsError) {
      let file = try StringsFile(bytes, format: .apple, language: "fr")
      #expect(file.entries.map { "\($0.key) = \(said($0))" }.joined(separator: ", ") == expected)
      let again = try StringsFile(Array(try file.text().utf8), format: .apple, language: "fr")
      #expect(again.entries.map(\.key) == file.entries.map(\.key))
    } catch { #expect("\(error)" == expected) }
  }

  private func said(_ entry: StringsFile.Entry) -> String {
    if case .text(let text)? = entry.localizations["fr"]?.value { text } else { "" }
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8).map { Character(Unicode.Scalar($0)).hexDigitValue ?? 0 }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  /// Every byte changed to every of some values, and every start of the file: an error, or some strings; never a crash.
  @Test func aDamagedBinaryPropertyListIsAnError() {
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
  func onlyAppleHasUTF16(format: StringsFile.Format) {
    let expected = format == .apple ? "is read" : "line 1: the file is UTF-16: save the file as UTF-8"
    #expect(refusal(format, [0xFF, 0xFE]) == expected)
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
  func languages(path: String, expected: String) {
    #expect(StringsFile.language(ofPath: path) == expected)
  }

  @Test(
    arguments: [
      (
        "/nowhere/fr.json", nil,
        "/nowhere/fr.json: the file cannot be read: No such file or directory: correct the path"
      ),
      (
        "/nowhere/fr.po", nil,
        #"/nowhere/fr.po: the ending ".po" is not known: name the file with one of .json, .strings, .xcstrings, .xml"#
      ),
      (
        "fr", nil,
        "fr: the file has no ending: name the file with one of .json, .strings, .xcstrings, .xml"
      ),
      (
        "/dev/zero", .apple,
        "/dev/zero: the file cannot be read: it is a folder, a pipe or a device: give a regular file"
      ),
      (
        "/tmp", .apple,
        "/tmp: the file cannot be read: it is a folder, a pipe or a device: give a regular file"
      ),
    ] as [(String, StringsFile.Format?, String)]
  )
  func paths(path: String, format: StringsFile.Format?, expected: String) throws {
    let error = try #require(throws: StringsError.self) { try StringsFile(contentsOf: path, format: format) }
    #expect("\(error)" == expected)
  }

  @Test func aFileOfTheDiskNamesItsPlace() throws {
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
        "a .strings file has no plurals: write a plural inside the message, or keep the string in another format"
      ),
      (
        .formatJS, .array([]),
        "a FormatJS file has no arrays: write an entry for each item, or keep the array in Android's strings.xml"
      ),
      (
        .android, .device([]),
        "an Android strings file has no variations by device: keep the string in a string catalogue"
      ),
      (
        .stringCatalog, .array([]),
        "a string catalogue has no arrays: write an entry for each item, or keep the array in Android's strings.xml"
      ),
      (
        .apple, .substituted("", []),
        "a .strings file has no substitutions: keep the string in a string catalogue"
      ),
    ] as [(StringsFile.Format, StringsFile.Value, String)]
  )
  func whatAFormatCannotHold(format: StringsFile.Format, value: StringsFile.Value, expected: String) throws {
    let entry = StringsFile.Entry(key: "k", localizations: ["fr": .init(value)])
    let error = try #require(throws: StringsError.self) {
      try StringsFile(format: format, language: "fr", entries: [entry]).text()
    }
    #expect(error.code == .notRepresentable)
    #expect("\(error)" == "key \"k\": \(expected)")
  }

  @Test(arguments: [StringsFile.Format.apple, .formatJS, .android])
  func oneLanguage(format: StringsFile.Format) throws {
    let two = StringsFile.Entry(key: "k", localizations: ["fr": .init(.text("a")), "de": .init(.text("b"))])
    var file = StringsFile(format: format, language: "fr", entries: [two])
    let error = try #require(throws: StringsError.self) { try file.text() }
    #expect(
      error.description.hasSuffix(
        "holds one language, and this file has \"de\" and \"fr\": write a file for each language"
      )
    )
    file.entries = [.init(key: "k", localizations: [:])]
    let missing = try #require(throws: StringsError.self) { try file.text() }
    #expect("\(missing)" == "key \"k\": it has no text: give it a text or leave it out")
  }

  @Test func anXMLCommentKeepsItsHyphensApart() throws {
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
    #expect("\(error)" == "key \"k\": it has a character that XML cannot hold: remove control characters")
  }

  /// A comment that would end too early is written line by line.
  @Test func anAppleCommentCannotEndEarly() throws {
    let entry = StringsFile.Entry(key: "k", comments: ["a */ b\nc"], localizations: ["": .init(.text("v"))])
    let text = try StringsFile(format: .apple, language: "", entries: [entry]).text()
    #expect(text == "// a */ b\n// c\n\"k\" = \"v\";\n")
  }

  /// Long inputs that a parser could take quadratic time over.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      ("<resources><!--", "- x "), ("<resources><string name='a'>", "a &amp; "), ("<resources a='", "x"),
      ("<resources>", "<string name='a'/>"), ("<", "<"), ("<!DOCTYPE ", "\"'"),
      ("<resources><string name='a'>", "\\u0020 "),
      ("<resources><string name='a'>", "<b>a</b>"), ("<resources><string name='a'><![CDATA[", "]] "),
    ]
  )
  func longXMLTakesNoQuadraticTime(start: String, rest: String) {
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
  func longAppleTextIsRead(start: String, rest: String, entries: Int?) throws {
    let text = start + String(repeating: rest, count: 20_000 / rest.utf8.count)
    let file = try? read(text, .apple)
    #expect(file?.entries.count == entries)
    if let file { #expect(try read(file.text(), .apple).entries.count == entries) }
  }
}
