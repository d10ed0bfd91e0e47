import Logging
import Testing

@testable import PriceTagService

/// Tests the rate of errors in the log.
@Suite struct ErrorRateTests {
  @Test func countsSuppressedRecords() {
    let (rate, start) = (ErrorRate(), ContinuousClock.now)
    let rows: [(seconds: Int, message: String, error: String, suppressed: Int?)] = [
      (0, "cannot read", "a", 0), (1, "cannot read", "a", nil), (1, "cannot read", "b", 0),
      (2, "cannot write", "a", 0), (9, "cannot read", "a", nil), (10, "cannot read", "a", 2),
      (11, "cannot read", "a", nil), (20, "cannot read", "b", 0), (20, "cannot read", "a", 1),
    ]
    for row in rows {
      let suppressed = rate.suppressed(row.message, row.error, at: start + .seconds(row.seconds))
      #expect(suppressed == row.suppressed, "\(row)")
    }
  }

  /// Errors with ever new texts, such as names in requests, are limited too.
  @Test func limitsDifferentErrors() {
    let (rate, start) = (ErrorRate(), ContinuousClock.now)
    let logged = (0..<10_000).filter { rate.suppressed("cannot read", "\($0)", at: start) != nil }
    #expect(logged.count == 101)
    #expect(rate.suppressed("cannot write", "x", at: start) == 0)
    #expect(rate.suppressed("cannot read", "new", at: start + .seconds(10)) == 0)
  }

  @Test func limitsErrorsOnly() {
    let lines = LogLines()
    var logger = lines.logger()
    logger.handler = ErrorRateLogHandler(logger.handler)
    logger[metadataKey: "requestId"] = "7"
    for _ in 0..<3 {
      logger.error("cannot read", metadata: ["error": "damaged"])
      logger.warning("rejected", metadata: ["error": "damaged"])
    }
    logger.critical("cannot read", metadata: ["error": "another"])
    let logged = lines.all
    #expect(logged.count { $0.contains("cannot read") } == 2 && logged.count { $0.contains("rejected") } == 3)
    #expect(logged.allSatisfy { $0.contains("requestId=7") }, "\(logged)")
  }
}
