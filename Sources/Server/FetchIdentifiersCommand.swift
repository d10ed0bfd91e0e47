import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagFetch
import PriceTagSystem

/// `pricetag-server fetch-identifiers`: prints a list of product identifiers from a server.
struct FetchIdentifiersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch-identifiers",
    abstract: "Fetch a list of product identifiers over HTTP, and print one per line.",
    discussion: """
      Examples:
        pricetag-server fetch-identifiers https://example.com/products.json > products.txt
        pricetag-server fetch-identifiers https://example.com/products.plist --cache lists

      If the server does not return a valid list, the last good list is printed. Rejected entries are reported on \
      standard error, and the exit code is 3.
      """
  )

  @Argument(help: ArgumentHelp("The http or https URL of the list.", valueName: "url"))
  var url: String

  @Option(
    help: ArgumentHelp(
      "The folder for fetched lists (default: the user's cache folder).",
      valueName: "dir"
    ),
    completion: .directory
  )
  var cache: String?

  @Flag(help: "Treat a malformed identifier as an error.")
  var development = false

  func run() throws {
    try requireResources(threads: 8, descriptors: 16)
    Self.endWithReader()
    let (url, folder) = (url, cache ?? ProductIdentifierFetcher.defaultCacheFolder)
    let fetched = try runBlocking {
      try await ProductIdentifierFetcher(cacheFolder: folder, read: ProductIdentifierList.init(_:name:))
        .fetch(url)
    }
    if case .lastGood(let reason, _) = fetched.source {
      StandardError.write("\(CommandLineProgram.name): note: the last good list is used: \(reason)\n")
    }
    if let note = fetched.cacheError { StandardError.write("\(CommandLineProgram.name): note: \(note)\n") }
    try fetched.list.report(isDevelopment: development)
    for identifier in fetched.list.identifiers { StandardOutput.write(identifier + "\n") }
    if !fetched.list.rejects.isEmpty { throw ExitCode(3) }
  }

  /// Ends the process when the other end of its standard output closes. A signal may have ended only the command that
  /// started this process.
  private static func endWithReader() {
    _ = WorkThread {
      // Without requested events, poll returns only when the other end closes.
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0 && errno == EINTR {}
      if output.revents & Int16(POLLERR) != 0 { _exit(141) }
    }
  }
}
