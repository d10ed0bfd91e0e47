import ArgumentParser
import PriceTagCommandLine

/// The server's verbs. `pricetag serve` runs the first, `pricetag products --identifiers URL` the second.
@main
struct ServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandLineProgram.name,
    abstract: "Serve prices, and fetch lists of product identifiers.",
    discussion: """
      The part of PriceTag that uses the network. The command pricetag runs it (pricetag serve, pricetag products \
      --identifiers URL) where both are of the same version.

      Exit codes: 0 done; 1 the work could not be done; 2 the command line is wrong; 3 done, with rejected input.
      """,
    version: CommandLineProgram.version,
    subcommands: [ServeCommand.self, FetchIdentifiersCommand.self]
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
}
