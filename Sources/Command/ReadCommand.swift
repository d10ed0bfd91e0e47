import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagReading
import PriceTagText

/// `pricetag read` reads displayed prices back.
struct ReadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Read displayed prices back: their amounts and currencies.",
    discussion: """
      Prints the amount and the currency of each text on a line. A text must have the bytes that pricetag format writes \
      with the same options. With --lenient, it may have other spaces, direction marks, apostrophes, signs, ASCII digits, \
      the code of the currency, or another currency.

      Examples:
        pricetag read --storefront DEU --lenient '49,99 EUR'        49.99 EUR
        pricetag read --storefront CHE --lenient 'USD 4.99'         4.99 USD
        pricetag read --storefront USA --json - < texts.txt

      Exit codes: 0 all texts were read; 1 the work could not be done; 2 the command line is wrong; 3 some or all texts \
      were rejected.
      """
  )

  @OptionGroup var store: StoreOptions

  @Flag(
    help:
      "Accept other spaces, marks, apostrophes, signs and digits, and the codes and symbols of other currencies."
  )
  var lenient = false

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Flag(
    help: "Print one JSON object per line, also for rejected texts, with the place of the first difference."
  )
  var json = false

  @Argument(
    help: ArgumentHelp("The displayed prices; - reads one per line from standard input.", valueName: "text")
  )
  var texts: [String]

  func run() throws {
    let localeData = try data.load()
    let formatter = try store.origin.formatter(in: localeData, on: data.day, style: style.style)
    let reader = PriceReader(formatter, in: localeData)
    var rejectedCount = 0
    func read(_ text: String, at place: String = "") {
      let reading = reader.reading(of: text, lenient ? .lenient : .strict)
      if case .failure(let error) = reading.result {
        rejectedCount += 1
        if !json {
          // Keeps the order of output and errors on a terminal.
          StandardOutput.flush()
          StandardError.write("pricetag: \(place.isEmpty ? error : error.at(place))\n")
        }
      }
      if json {
        StandardOutput.write(jsonObject([("text", PriceTagText.json(text))] + reading.jsonFields()) + "\n")
      } else if case .success(let price) = reading.result {
        StandardOutput.write("\(price.amount) \(price.currency)\n")
      }
    }
    for text in texts.map({ NegativeAmount.unmarked($0) }) {
      guard text == "-" else {
        read(text)
        continue
      }
      try InputLines(path: text, maximumByteCount: PriceReader.maximumByteCount).forEach { number, _, bytes in
        read(String(decoding: bytes, as: UTF8.self), at: "standard input, line \(number)")
      }
    }
    if rejectedCount > 0 { throw ExitCode(3) }
  }
}
