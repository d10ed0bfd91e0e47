import PriceTag
import PriceTagReading
import PriceTagStrings

/// Expects the text of a UI string in a language, in Swift Testing and in XCTest.
///
///     let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
///     expectMessage("buy_for_price", in: "de", ["price": .price(price)], displays: "Für $4.99 kaufen")
///
/// Texts are compared without bidi isolates, unless the expected text contains some. Only the tolerances `.spacing` and
/// `.bidi` have an effect.
///
/// - Parameters:
///   - key: The message's key.
///   - language: The UI language, BCP 47.
///   - arguments: The message's arguments.
///   - expected: The exact text.
///   - tolerance: The differences to allow.
///   - strings: The UI strings.
///   - fileID: The caller's module and file, for failures.
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

/// Expects the text of a message, in Swift Testing and in XCTest.
///
/// - Parameters:
///   - message: The message.
///   - arguments: The message's arguments.
///   - expected: The exact text. It is compared with bidi isolates if it contains some.
///   - tolerance: The differences to allow.
///   - fileID: The caller's module and file, for failures.
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
  _ name: String,
  _ expected: String,
  _ tolerance: DisplayTolerance,
  _ caller: Caller
) {
  let hasIsolates = expected.unicodeScalars.contains { ("\u{2066}"..."\u{2069}").contains($0) }
  let comparison = DisplayComparison(
    expectedText: expected,
    actual: hasIsolates ? text.isolated : text.plain
  )
  caller.expect(comparison, tolerance, failure: "\(name) reads differently")
}
