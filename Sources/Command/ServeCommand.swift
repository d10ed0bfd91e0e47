import ArgumentParser
import PriceTagCommandLine

/// `pricetag serve` runs the server. The server is a separate executable, so that the command has no network stack.
struct ServeCommand: ParsableCommand {
  static let configuration = ServeArguments.configuration

  @OptionGroup var arguments: ServeArguments

  func run() throws {
    try ServerExecutable.find().replaceProcess()
  }
}
