import PriceTag
import PriceTagDrift
import PriceTagStrings

/// Expects what a message of the store says in a language, in Swift Testing and in XCTest.
///
///     let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
///     expectMessage("buy_for_price", in: "de", ["price": .price(price)], displays: "Für $4.99 kaufen")
///
/// The text is compared without the isolates around prices, unless what is expected has isolates itself. It is compared as
/// words: of the tolerances, `.spacing` and `.bidi` let something pass.
///
/// - Parameters:
///   - key: The message's key.
///   - language: The language of the words, BCP 47.
///   - arguments: What is put into it.
///   - expected: What is displayed, byte for byte.
///   - tolerance: Differences that may be.
///   - strings: Where the message is looked up.
///   - fileID: The caller's module and file; failures point there.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
public func expectMessage(
  _ key: String,
  in language: String,
  _ arguments: MessageArguments = [:],
  displays expected: String,
  tolerating tolerance: DisplayTolerance = .strict,
  strings: StoreStrings = .embedded,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
  let text = caller.attempt { try strings.format(key, in: UILanguage(language), arguments) }
  if let text { expect(text, "\(key) in \(language)", expected, tolerance, caller) }
}

/// Expects what a message says, in Swift Testing and in XCTest.
///
/// - Parameters:
///   - message: The message.
///   - arguments: What is put into it.
///   - expected: What is displayed, byte for byte; with isolates where it has them itself.
///   - tolerance: Differences that may be.
///   - fileID: The caller's module and file; failures point there.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
public func expectMessage(
  _ message: Message,
  _ arguments: MessageArguments = [:],
  displays expected: String,
  tolerating tolerance: DisplayTolerance = .strict,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
  let text = caller.attempt { try message.format(arguments) }
  if let text { expect(text, "the message in \(message.language)", expected, tolerance, caller) }
}

private func expect(
  _ text: FormattedMessage,
  _ what: String,
  _ expected: String,
  _ tolerance: DisplayTolerance,
  _ caller: Caller
) {
  let hasIsolates = expected.unicodeScalars.contains { ("\u{2066}"..."\u{2069}").contains($0) }
  let comparison = DisplayComparison(
    expectedText: expected,
    actual: hasIsolates ? text.isolated : text.plain
  )
  caller.expect(comparison, tolerance, otherwise: "\(what) says it")
}
