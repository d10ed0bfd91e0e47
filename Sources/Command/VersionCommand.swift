import ArgumentParser
import PriceTagCommandLine
import PriceTagNotice

/// `pricetag version`: what writes the prices.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Print the versions of PriceTag, ICU, CLDR and Unicode.",
    discussion: "A display may change with each of them: record the versions beside the displays."
  )

  @Flag(help: "Write a JSON object.")
  var json = false

  @Flag(help: "Print the licenses of PriceTag and of the data and software in it.")
  var licenses = false

  /// What the options ask for, beside the licenses.
  var request: VersionRequest { VersionRequest(writesJSON: json) }

  func validate() throws {
    if json && licenses {
      throw ValidationError("--licenses prints text, not JSON: leave out --json or --licenses")
    }
  }

  func run() throws {
    if licenses {
      StandardOutput.write(Self.text(pricetag_notice) + "\n" + Self.text(pricetag_license) + "\n")
    } else {
      request.run()
    }
  }

  /// The text of an embedded file.
  private static func text(_ file: (UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>?) -> String {
    var count = 0
    guard let bytes = file(&count) else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
