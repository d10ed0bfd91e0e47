import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Testing

@testable import PriceTagService

/// Tests the lines of the access log.
@Suite struct AccessLogTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

  /// Returns the line of an exchange that took 1.234 milliseconds.
  private func line(_ format: AccessLogFormat, _ exchange: AccessLog.Exchange) -> String {
    let lines = LogLines()
    let log = AccessLog(format: format, clock: LogLines.clock, sink: lines.append)
    log.write(exchange, at: Self.start + .microseconds(1_234))
    return lines.text
  }

  private func exchange(
    _ path: String,
    _ fields: HTTPFields,
    status: Int = 200,
    bytes: Int = 15
  ) -> AccessLog.Exchange {
    let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: fields)
    var exchange = AccessLog.Exchange(head, client: ClientAddress("192.0.2.1"), at: Self.start)
    exchange.record(HTTPResponse(status: .init(code: status), headerFields: [.requestID: "4f1d"]))
    exchange.byteCount = bytes
    return exchange
  }

  private static let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test func writesJSON() {
    let exchange = exchange("/health?a=1", [.userAgent: "curl/8.7", .traceParent: Self.trace])
    #expect(
      line(.json, exchange) == #"""
        {"time":"2026-11-22T08:00:00.123Z","level":"info","label":"pricetag.access","message":"request","bytes":15,"client":"192.0.2.1","method":"GET","milliseconds":1.234,"path":"/health?a=1","requestId":"4f1d","spanId":"00f067aa0ba902b7","status":200,"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","userAgent":"curl/8.7"}

        """#
    )
  }

  @Test func writesCombinedLogFormat() {
    let exchange = exchange("/health", [.userAgent: "curl/8.7", .referer: "https://shop.example/"])
    #expect(
      line(.common, exchange)
        == "192.0.2.1 - - [22/Nov/2026:08:00:00 +0000] \"GET /health HTTP/1.1\" 200 15 \"https://shop.example/\" \"curl/8.7\" 1.234 4f1d -\n"
    )
  }

  /// Field values that could forge a line or affect a terminal.
  static let hostileValues = [
    "a\"b\\c", "a\r\nb", "a\u{0}b", "a\u{1B}[2Jb", "a\u{2028}b", "a\u{202E}b", "\u{85}", "é",
    String(repeating: "x", count: 100_000),
  ]

  @Test(arguments: hostileValues) func escapesHostileValues(_ text: String) throws {
    var exchange = exchange("/", [:])
    (exchange.userAgent, exchange.target, exchange.referer) = (text, "/\(text)", text)
    for format in AccessLogFormat.allCases {
      let line = line(format, exchange)
      #expect(line.last == "\n" && line.utf8.count < 14_000)
      let inner = line.dropLast()
      #expect(
        !inner.unicodeScalars.contains {
          $0.value < 0x20 || $0.value == 0x7F || $0 == "\u{2028}" || $0 == "\u{202E}" || $0 == "\u{85}"
        }
      )
      guard format == .json else {
        // Three quoted values have six unescaped quotation marks.
        #expect(inner.replacing("\\\\", with: "").replacing("\\\"", with: "").count { $0 == "\"" } == 6)
        continue
      }
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect((object["userAgent"] as? String)?.hasPrefix(String(text.prefix(1))) == true)
      #expect(object["status"] as? Int == 200)
    }
  }

  typealias Trace = (text: String, traceID: String?)

  static let traces: [Trace] = [
    (trace, "4bf92f3577b34da6a3ce929d0e0e4736"),
    ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", "4bf92f3577b34da6a3ce929d0e0e4736"),
    ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", nil),
    ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", nil),
    ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", nil),
    ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", nil),
    ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", nil),
    ("00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", nil),
    ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", nil), ("", nil), ("\"", nil),
  ]

  @Test(arguments: traces) func parsesTrace(_ row: Trace) {
    #expect(TraceParent(row.text)?.traceID == row.traceID)
  }

  @Test func levelAboveInfoDisablesLog() {
    var logger = Logger(label: "test") { ServiceLogHandler(label: $0) }
    #expect(AccessLog(.json, logger) != nil)
    logger.logLevel = .notice
    #expect(AccessLog(.json, logger) == nil)
  }
}
