import Logging
import PriceTagText
import Synchronization
import Testing

@testable import PriceTagService

/// Stores log lines, which all have the same time.
final class LogLines: Sendable {
  static let clock: @Sendable () -> LogTime = { LogTime(milliseconds: 1_795_334_400_123) }

  private let lines = Mutex<[String]>([])
  private let onLine: @Sendable (String) -> Void

  init(onLine: @escaping @Sendable (String) -> Void = { _ in }) { self.onLine = onLine }

  @Sendable func append(_ line: [UInt8]) {
    let line = String(decoding: line, as: UTF8.self)
    lines.withLock { $0.append(line) }
    onLine(line)
  }

  func handler(
    _ format: ServiceLogHandler.Format,
    _ provider: Logger.MetadataProvider? = nil
  ) -> ServiceLogHandler {
    var handler = ServiceLogHandler(label: "service", format: format, metadataProvider: provider)
    (handler.clock, handler.sink) = (Self.clock, append)
    return handler
  }

  func logger(_ format: ServiceLogHandler.Format = .text) -> Logger {
    Logger(label: "service") { _ in handler(format) }
  }

  var all: [String] { lines.withLock { $0 } }
  var text: String { all.joined() }
}

/// Tests the bytes of log lines.
@Suite struct LogTests {
  private static let now = "2026-11-22T08:00:00.123Z"

  typealias Example = (message: String, metadata: Logger.Metadata, text: String, json: String)

  static let examples: [Example] = [
    ("started", [:], "started", #""message":"started""#),
    (
      "answered",
      [
        "status": .stringConvertible(200), "path": "/v1/prices", "agent": "a b",
        "cached": .stringConvertible(true),
      ],
      #"answered agent="a b" cached=true path=/v1/prices status=200"#,
      #""message":"answered","agent":"a b","cached":true,"path":"/v1/prices","status":200"#
    ),
    (
      "empty and quoted",
      ["a": "", "b": #"say "hi""#, "c": "a=b", "d": #"c:\d"#],
      #"empty and quoted a="" b="say \"hi\"" c="a=b" d="c:\\d""#,
      #""message":"empty and quoted","a":"","b":"say \"hi\"","c":"a=b","d":"c:\\d""#
    ),
    (
      "numbers",
      [
        "a": .stringConvertible(0.25), "b": .stringConvertible(Double.nan),
        "c": .stringConvertible(Int64.min),
        "d": .stringConvertible(Float(1.5)), "e": .stringConvertible(UInt8(7)), "f": "12",
      ],
      "numbers a=0.25 b=nan c=-9223372036854775808 d=1.5 e=7 f=12",
      #""message":"numbers","a":0.25,"b":"nan","c":-9223372036854775808,"d":1.5,"e":7,"f":"12""#
    ),
    (
      "nested",
      ["a": ["x", "y z", ["k": "v", "b c": []]], "e": [:], "f": .array([.stringConvertible(1), ""])],
      #"nested a=[x,"y z",{"b c"=[] k=v}] e={} f=[1,""]"#,
      #""message":"nested","a":["x","y z",{"b c":[],"k":"v"}],"e":{},"f":[1,""]"#
    ),
    (
      "names",
      [
        "time": "t", "level": "l", "metadata.level": "m", "message": "n", "label": "b", "a b": "c",
        "x\ny": "z",
      ],
      #"names "a b"=c label=b level=l message=n metadata.level=m time=t "x\u{A}y"=z"#,
      #""message":"names","a b":"c","metadata.label":"b","metadata.metadata.level":"l","metadata.message":"n","#
        + #""metadata.level":"m","metadata.time":"t","x\u000ay":"z""#
    ),
    (
      "line\nfake \u{1B}[31m \\u{A}",
      ["a": "x\r\ny", "b": "\u{202E}evil\u{2066}", "c": "\u{2028}\u{2029}\u{85}\0\u{7F}"],
      #"line\u{A}fake \u{1B}[31m \\u{A} a="x\u{D}\u{A}y" b="\u{202E}evil\u{2066}" "#
        + #"c="\u{2028}\u{2029}\u{85}\u{0}\u{7F}""#,
      #""message":"line\u000afake \u001b[31m \\u{A}","a":"x\u000d\u000ay","b":"\u202eevil\u2066","#
        + #""c":"\u2028\u2029\u0085\u0000\u007f""#
    ),
    (
      "bytes",
      [
        "bad": .string(String(decoding: [0x61, 0xFF, 0xC3] as [UInt8], as: UTF8.self)), "tag": "\u{E0041}",
        "zero": "a\u{200B}b\u{FEFF}", "own": "\u{E000}\u{FFFF}", "text": "Größe 価格 🙂",
      ],
      #"bytes bad="a\u{FFFD}\u{FFFD}" own="\u{E000}\u{FFFF}" tag="\u{E0041}" text="Größe 価格 🙂" "#
        + #"zero="a\u{200B}b\u{FEFF}""#,
      #""message":"bytes","bad":"a\ufffd\ufffd","own":"\ue000\uffff","tag":"\udb40\udc41","#
        + #""text":"Größe 価格 🙂","zero":"a\u200bb\ufeff""#
    ),
    (
      "spaces",
      ["a": "x\u{A0}y", "b": "\u{3000}", "c": "a,b", "d": "[x]"],
      "spaces a=\"x\u{A0}y\" b=\"\u{3000}\" c=\"a,b\" d=\"[x]\"",
      "\"message\":\"spaces\",\"a\":\"x\u{A0}y\",\"b\":\"\u{3000}\",\"c\":\"a,b\",\"d\":\"[x]\""
    ),
  ]

  @Test(arguments: examples)
  func writesRecordAsOneLine(example: Example) {
    let (text, json) = (LogLines(), LogLines())
    text.logger(.text).info("\(example.message)", metadata: example.metadata)
    #expect(text.text == "\(Self.now) info  \(example.text)\n")
    json.logger(.json).info("\(example.message)", metadata: example.metadata)
    #expect(
      json.text == "{\"time\":\"\(Self.now)\",\"level\":\"info\",\"label\":\"service\",\(example.json)}\n"
    )
  }

  @Test(
    arguments: [
      (.trace, "trace m"), (.debug, "debug m"), (.info, "info  m"), (.notice, "notice m"),
      (.warning, "warning m"), (.error, "error m"), (.critical, "critical m"),
    ] as [(Logger.Level, String)]
  )
  func writesLevel(level: Logger.Level, text: String) {
    let lines = LogLines()
    var logger = lines.logger(.text)
    logger.logLevel = .trace
    logger.log(level: level, "m")
    #expect(lines.text == "\(Self.now) \(text)\n")
  }

  @Test func truncatesLongValues() {
    let lines = LogLines()
    let x = { String(repeating: "x", count: $0) }
    lines.logger(.text).info(
      "\(x(1_001))",
      metadata: [
        "a": "\(x(1_000))", "b": "\(x(1_001))", "c": ["\(x(600))", "\(x(600))", "z"],
        "d": "\(String(repeating: "\u{301}", count: 100_000))",
        "e": .dictionary(["\(x(2_000))": "v", "y": "w"]),
      ]
    )
    // All values of an array share the maximum length, and each counts one more.
    let accents = String(repeating: "\u{301}", count: 1_000)
    #expect(
      Array(lines.text.utf8)
        == Array(
          """
          \(Self.now) info  \(x(1_000))… a=\(x(1_000)) b=\(x(1_000))… c=[\(x(600)),\(x(398))…,…] d=\(accents)… \
          e={\(x(999))…=… …}

          """.utf8
        )
    )
  }

  @Test func truncatesDeepValues() {
    let (text, json) = (LogLines(), LogLines())
    var value: Logger.MetadataValue = "x"
    for level in 0..<100 { value = level % 2 == 0 ? .array([value]) : .dictionary(["k": value]) }
    text.logger(.text).info("m", metadata: ["a": value])
    #expect(text.text == "\(Self.now) info  m a={k=[{k=[{k=[{k=[{…}]}]}]}]}\n")
    json.logger(.json).info("m", metadata: ["a": value])
    #expect(json.text.hasSuffix(#""message":"m","a":{"k":[{"k":[{"k":[{"k":[{"…":"…"}]}]}]}]}}"# + "\n"))
  }

  @Test func mostSpecificMetadataWins() {
    struct Broken: Error, CustomStringConvertible { let description = "it\nbroke" }
    let lines = LogLines()
    let provider = Logger.MetadataProvider { ["b": "provider", "c": "provider", "d": "provider"] }
    var handler = lines.handler(.text, provider)
    handler.metadata = ["a": "handler", "b": "handler"]
    handler[metadataKey: "z"] = "last"
    let logger = Logger(label: "service") { _ in handler }
    var other = logger
    other[metadataKey: "a"] = "other"
    other.logLevel = .error
    logger.info("m", metadata: ["c": "record"])
    logger.debug("not written")
    other.info("not written")
    handler.log(
      event: LogEvent(
        level: .error,
        message: "n",
        error: Broken(),
        metadata: nil,
        source: nil,
        file: "",
        function: "",
        line: 1
      )
    )
    let rows = lines.text.split(separator: "\n")
    #expect(rows.count == 2)
    #expect(rows.first == "\(Self.now) info  m a=handler b=provider c=record d=provider z=last")
    #expect(rows.last?.contains(#"error.message="it\u{A}broke" error.type="#) == true)
    #expect(handler[metadataKey: "z"] == "last")
    #expect(handler[metadataKey: "y"] == nil)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
      (1_709_251_200_000, "2024-03-01T00:00:00.000Z"), (1_795_334_400_123, "2026-11-22T08:00:00.123Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)]
  )
  func formatsTime(milliseconds: Int64, text: String) {
    #expect(LogTime(milliseconds: milliseconds).text == text)
  }
}
