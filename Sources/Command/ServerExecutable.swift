import PriceTag
import PriceTagCommandLine
import PriceTagSystem
import PriceTagText

/// The executable `pricetag-server`, which serves HTTP and fetches lists for the command.
///
/// The command searches it in its own folder, with symbolic links resolved, and then on `PATH`, as git and cargo search
/// their subcommands. It must have the version of the command: both read the same command line, and write the same prices.
struct ServerExecutable {
  static let name = "pricetag-server"

  let path: String

  /// Finds the server, and compares its version with that of the command.
  ///
  /// - Throws: `.invalidOption` if the server does not exist, does not run, or has another version.
  static func find() throws(PriceTagError) -> ServerExecutable {
    let command = commandPath
    let server = try ServerExecutable(path: search(besides: command))
    try server.requireVersion(of: command)
    return server
  }

  // MARK: Search

  /// The path of the command's executable, with symbolic links resolved; only its name if the system has no path.
  private static var commandPath: String {
    OutputFile.resolvedPath("/proc/self/exe") ?? CommandLine.arguments.first ?? "pricetag"
  }

  private static func search(besides command: String) throws(PriceTagError) -> String {
    // Empty and relative entries of PATH are ignored: another user may have written the files of the working folder.
    let searched = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").filter {
      $0.hasPrefix("/")
    }
    let folder = command.hasPrefix("/") ? OutputFile.folder(of: command) : nil
    let folders = (folder.map { [$0] } ?? []) + searched.map(String.init)
    let candidates = folders.map { $0 == "/" ? "/\(name)" : "\($0)/\(name)" }
    if let found = candidates.first(where: isExecutable) { return found }
    throw PriceTagError(
      .invalidOption,
      folder.map { "\(name) is neither in \(inQuotes($0)) nor on PATH" } ?? "\(name) is not on PATH",
      fix: "build it with make build, or install the package \(name)"
    )
  }

  /// Returns a path in quotes, not shortened as `quoted(_:)` does: the user has to find the file.
  static func inQuotes(_ path: String) -> String { "\"\(printable(path, limit: 4096, isQuoted: true))\"" }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  // MARK: Version

  private func requireVersion(of command: String) throws(PriceTagError) {
    let outcome = try ChildProcess.run(path, ["--version"], maximumByteCount: 1 << 12, time: .seconds(30))
    let version =
      String(decoding: outcome.output, as: UTF8.self)
      .split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    if outcome.end == .exit(0), version == CommandLineProgram.version { return }
    guard outcome.end == .exit(0), version.hasPrefix("PriceTag ") else {
      throw PriceTagError(
        .invalidOption,
        "\(Self.inQuotes(path)) does not print its version (\(outcome.end.description))",
        fix: "build or install \(Self.name) again"
      )
    }
    throw PriceTagError(
      .invalidOption,
      "the server \(Self.inQuotes(path)) is \(quoted(version)), and the command \(Self.inQuotes(command)) is \(quoted(CommandLineProgram.version))",
      fix: "build or install both from one release"
    )
  }

  // MARK: Running

  /// Replaces the process with the server, with the command's arguments. The process identifier, standard streams and
  /// environment stay, so the server receives the signals, and its exit code is that of the command.
  func replaceProcess() throws(PriceTagError) -> Never {
    StandardOutput.flush()
    // A signal that is ignored stays ignored after execv.
    signal(SIGXFSZ, SIG_DFL)
    execv(path, CommandLine.unsafeArgv)
    throw PriceTagError(
      .invalidOption,
      "cannot run \(Self.inQuotes(path)): \(SystemError().reason)",
      fix: "build or install \(Self.name) again"
    )
  }
}
