import ArgumentParser
import PriceTag
import PriceTagCommandLine

/// The command: its verbs and its exit codes, on one screen.
@main
struct PriceTagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pricetag",
    abstract: "Prices as each store writes them.",
    discussion: """
      Every price is written by its own store's locale and currency. Nothing is converted, and nothing is rounded \
      unless a rounding mode is named.

      Exit codes: 0 done; 1 the work could not be done; 2 the command line is wrong; 3 done, with some input set aside or something found.

      Completion: pricetag --generate-completion-script bash|zsh|fish
      """,
    version: "PriceTag \(Versions.current.priceTag)",
    subcommands: [
      FormatCommand.self, StorefrontsCommand.self, ProductsCommand.self, ImportCommand.self,
      VerifyCommand.self,
      ExportCommand.self, BatchCommand.self, PagesCommand.self, ServeCommand.self, RecordCommand.self,
      CheckCommand.self,
      StringsCommand.self, VersionCommand.self,
    ]
  )

  static func main() {
    CommandLineProgram.prepare()
    do {
      var command = try parseAsRoot(CommandLineProgram.arguments)
      try command.run()
    } catch {
      CommandLineProgram.end(Self.self, error)
    }
    quit(0)
  }

  /// Ends with exit code 1 and one line.
  static func fail(_ message: String) -> Never {
    CommandLineProgram.fail(message)
  }
}

/// Counts what was answered and what was set aside, and tells the exit code.
struct Tally {
  private var answered = 0
  private var setAside = 0

  /// Does one piece of work; a failure is told on standard error, and the rest goes on.
  mutating func attempt(_ work: () throws(PriceTagError) -> Void) {
    do throws(PriceTagError) {
      try work()
      answered += 1
    } catch {
      setAside += 1
      // In the order of the answers, where both go to one terminal.
      StandardOutput.flush()
      StandardError.write("pricetag: \(error)\n")
    }
  }

  /// Counts what told its own failure.
  mutating func count(isAnswered: Bool) {
    if isAnswered { answered += 1 } else { setAside += 1 }
  }

  /// Ends with 1 where nothing was answered, with 3 where something was set aside.
  func finish() throws {
    if setAside > 0 { throw ExitCode(answered == 0 ? 1 : 3) }
  }
}
