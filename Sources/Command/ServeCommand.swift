import ArgumentParser
import PriceTagCommandLine

/// `pricetag serve`: the server, which is an executable of its own, so that the command carries no network stack.
struct ServeCommand: ParsableCommand {
  static let configuration = ServeArguments.configuration

  @OptionGroup var arguments: ServeArguments

  func run() throws {
    try ServerExecutable.find().replaceProcess()
  }
}
