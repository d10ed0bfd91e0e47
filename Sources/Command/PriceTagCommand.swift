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
    let arguments = CommandLineProgram.arguments
    if let quick = QuickArguments(arguments) { run(quick) }
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      CommandLineProgram.end(Self.self, error)
    }
    quit(0)
  }

  /// Runs a verb that needs no ArgumentParser, and ends with its exit code.
  private static func run(_ quick: QuickArguments) -> Never {
    do throws(PriceTagError) {
      quit(try quick.run())
    } catch {
      fail(error.description)
    }
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

  /// 1 where nothing was answered, 3 where something was set aside.
  var exitCode: Int32 { setAside == 0 ? 0 : answered == 0 ? 1 : 3 }

  /// Ends with the exit code where it is not 0.
  func finish() throws {
    if exitCode != 0 { throw ExitCode(exitCode) }
  }
}
