import CommandLineTools
import Foundation
import Testing

/// Commands under the resource limits of the system. A command does its work, or fails with an error that names the limit.
/// It never hangs or ends by a signal.
@Suite struct ResourceLimitTests {
  private static let rows = #"""
    {"productIdentifier":"a","localizations":{"en":{"name":"Gold"}},"prices":{"USA":"0.99","JPN":"120","DEU":"0.99"}}
    {"productIdentifier":"b","localizations":{"en":{"name":"Silver"}},"prices":{"USA":"1.99","JPN":"250","DEU":"1.99"}}
    """#

  private static let mappedFile: Comment =
    "the thread sanitizer maps a file of its own when a process starts, and fails below a limit of file sizes"

  /// Calls a closure with a temporary folder that has `shop.jsonl`, `shop.pricetag` and `prices.jsonl`. All users may write
  /// to it.
  private func inScratch(_ body: (String) throws -> Void) throws {
    let folder = URL(filePath: "/tmp/pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.rows.write(to: folder.appending(path: "shop.jsonl"), atomically: true, encoding: .utf8)
    try "{\"storefront\":\"USA\",\"amount\":\"1\"}\n".write(
      to: folder.appending(path: "prices.jsonl"),
      atomically: true,
      encoding: .utf8
    )
    let imported = try CommandLineTool.shell(
      "cd '\(folder.path)' && pricetag import shop.jsonl --into shop.pricetag --quiet && chmod -R a+rwX ."
    )
    try #require(imported.status == 0, "\(imported.report)")
    try body(folder.path)
  }

  static let commands = [
    "products shop.pricetag --storefront USA", "import shop.jsonl --into shop.pricetag",
    "import shop.jsonl --into new.pricetag", "batch shop.pricetag --storefronts USA,JPN -o rows.jsonl",
    "batch prices.jsonl -o rows.jsonl", "record shop.pricetag --storefronts USA -o prices.golden",
    "export shop.pricetag --to json -o shop.json", "pages shop.pricetag --storefronts USA -o site",
    "serve shop.pricetag --port 0",
  ]

  /// With 16 file descriptors, every command except the service works.
  @Test(arguments: commands)
  func handlesFewFileDescriptors(command: String) throws {
    try inScratch { folder in
      for limit in [4, 5, 8, 16] {
        // Closes the descriptors of the shell, so that only the command uses the limit.
        let outcome = try CommandLineTool.shell(
          "cd '\(folder)' && for ((n = 3; n < 20; n++)); do eval \"exec $n>&-\"; done; ulimit -n \(limit) && exec timeout 600 pricetag \(command)"
        )
        let isShort =
          outcome.errors.contains("raise the limit of open files (ulimit -n)")
          || outcome.errors.contains("Too many open files")
        #expect(
          outcome.status == 0 || (outcome.status == 1 && isShort),
          "limit \(limit): \(outcome.report)"
        )
        if limit == 16, !command.hasPrefix("serve") { #expect(outcome.status == 0, "\(outcome.report)") }
      }
    }
  }

  /// Writes one file per storefront with fewer descriptors than files. The bytes are the same as without the limit.
  @Test func writesFilePerStorefrontWithFewDescriptors() throws {
    try inScratch { folder in
      let outcome = try CommandLineTool.shell(
        """
        cd '\(folder)'
        pricetag batch shop.pricetag -o all/ --quiet
        echo $?
        (ulimit -n 16; pricetag batch shop.pricetag -o few/ --quiet)
        echo $?
        ls all | wc -l
        diff -r all few && echo same
        ls -a few | grep -c part
        """
      )
      #expect(outcome.output == "3\n3\n175\nsame\n0\n", "\(outcome.report)")
    }
  }

  /// If one file of a folder cannot be written, all previous files are unchanged.
  @Test(.disabled(if: CommandLineTool.hasThreadSanitizer, Self.mappedFile))
  func keepsPreviousFilesAfterFailure() throws {
    try inScratch { folder in
      let outcome = try CommandLineTool.shell(
        """
        cd '\(folder)'
        for ((i = 0; i < 400; i++)); do
          printf '{"productIdentifier":"p%d","localizations":{"en":{"name":"Some name"}},"prices":{"USA":"1","JPN":"1"}}\\n' $i
        done > many.jsonl
        pricetag import many.jsonl --into many.pricetag --quiet
        mkdir out && echo before > out/USA.jsonl && chmod a+rwX out
        (ulimit -n 16; ulimit -f 64; pricetag batch many.pricetag --storefronts USA,JPN -o out/ --quiet)
        echo $?
        cat out/USA.jsonl
        ls -a out
        """
      )
      #expect(outcome.output == "1\nbefore\n.\n..\nUSA.jsonl\n", "\(outcome.report)")
      #expect(
        outcome.errors.contains(
          "cannot write the file: File too large; raise the limit of file sizes (ulimit -f)"
        ),
        "\(outcome.report)"
      )
    }
  }

  /// The command reports an error, although SIGXFSZ would end the process by default.
  @Test(
    .disabled(if: CommandLineTool.hasThreadSanitizer, Self.mappedFile),
    arguments: [
      "export shop.pricetag --to json -o large.json", "import large.jsonl --into large.pricetag",
    ]
  )
  func failsForTooLargeFile(command: String) throws {
    try inScratch { folder in
      let outcome = try CommandLineTool.shell(
        """
        cd '\(folder)'
        for ((i = 0; i < 500; i++)); do
          printf '{"productIdentifier":"p%d","localizations":{"en":{"name":"Some name"}},"prices":{"USA":"1","JPN":"1"}}\\n' $i
        done > large.jsonl
        pricetag import large.jsonl --into shop.pricetag --quiet
        ulimit -f 8
        pricetag \(command)
        """
      )
      #expect(outcome.status == 1, "\(outcome.report)")
      #expect(
        outcome.errors.contains("File too large; raise the limit of file sizes (ulimit -f)"),
        "\(outcome.report)"
      )
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/large.pricetag"))
    }
  }

  /// The command prefix that limits the number of processes, or `nil` if it does not work here. The limit does not apply to
  /// root, so another user runs the command.
  static let threadLimit: String? = {
    let isRoot = getuid() == 0
    let prefix = isRoot ? "setpriv --reuid=65534 --clear-groups prlimit --nproc=1:1" : "prlimit --nproc=1:1"
    // If the user already has processes, no program can be started under the limit.
    let tried = try? CommandLineTool.shell("\(prefix) \(CommandLineTool.binary.path) version")
    if tried?.status == 0 { return prefix }
    print("skipped: no limit of processes can be set here: \(tried?.errors ?? "no shell")")
    return nil
  }()

  @Test(
    .enabled(if: threadLimit != nil, "setpriv and prlimit, and a user without processes"),
    arguments: commands
  )
  func handlesThreadLimit(command: String) throws {
    try inScratch { folder in
      let prefix = Self.threadLimit ?? ""
      let outcome = try CommandLineTool.shell(
        "cd '\(folder)' && exec timeout 600 \(prefix) \(CommandLineTool.binary.path) \(command) --jobs 2"
          .replacing(
            " --jobs 2",
            with: command.hasPrefix("batch") || command.hasPrefix("pages") ? " --jobs 2" : ""
          )
      )
      if command.hasPrefix("batch prices") {
        #expect(outcome.status == 0, "\(outcome.report)")
      } else {
        #expect(outcome.status == 1, "\(outcome.report)")
        #expect(
          outcome.errors.contains("raise the limit of processes and threads (ulimit -u), or end other"),
          "\(outcome.report)"
        )
      }
    }
  }

  /// An import removes the files of killed imports, but not those of a running import.
  @Test func removesFilesOfKilledImports() throws {
    try inScratch { folder in
      let outcome = try CommandLineTool.shell(
        """
        cd '\(folder)'
        start() {
          mkfifo "$1"
          pricetag import --from jsonl --into new.pricetag "$1" --quiet &
          import=$!
          eval "exec $2>$1"
          printf '{"productIdentifier":"p","prices":{"USA":"1"}}\\n' >&$2
          for ((i = 0; i < 6000; i++)); do [ "$(ls | grep -c "^new.pricetag.$import.part")" = 1 ] && break; sleep 0.1; done
        }
        start first 3
        kill -9 $import
        wait $import 2>/dev/null
        exec 3>&-
        echo "killed: $(ls | grep -c "^new.pricetag.$import.part")"
        start second 4
        echo "second: $(ls | grep -c "^new.pricetag.*part") of $(ls | grep -c "^new.pricetag.$import.part")"
        touch new.pricetag.4711.part new.pricetag.4711.part-wal other.pricetag.4711.part new.pricetag.x.part
        pricetag import shop.jsonl --into new.pricetag --quiet
        echo "while another imports: $? $(ls | grep -c '^new.pricetag.*part')"
        exec 4>&-
        wait $import
        echo "the other: $?"
        pricetag import shop.jsonl --into new.pricetag --quiet
        echo "at the end: $(ls | grep part)"
        """
      )
      let lines = outcome.output.split(separator: "\n").map(String.init)
      try #require(lines.count >= 5, "\(outcome.report)")
      #expect(lines[0] == "killed: 1", "\(outcome.report)")
      #expect(lines[1] == "second: 1 of 1", "\(outcome.report)")
      // Another process created the catalog, so the second import fails and removes its own files.
      #expect(lines[2] == "while another imports: 0 4", "\(outcome.report)")
      #expect(lines[3] == "the other: 1", "\(outcome.report)")
      #expect(
        lines[4...].joined(separator: " ") == "at the end: new.pricetag.x.part other.pricetag.4711.part",
        "\(outcome.report)"
      )
    }
  }

  static let endless: [(name: String, command: String, errors: String)] = [
    (
      "CSV of zeros", "batch --from csv /dev/zero",
      "pricetag: /dev/zero: the header is larger than 4 MB; write the column names in the first line\n"
    ),
    (
      "zeros", "batch - < /dev/zero",
      "pricetag: standard input: the header is larger than 4 MB; write the column names in the first line\n"
    ),
    (
      "a quoted header", #"batch --from csv - < <(printf '"'; cat /dev/zero)"#,
      "pricetag: standard input: the header is larger than 4 MB; write the column names in the first line\n"
    ),
  ]

  @Test(arguments: endless)
  func failsForEndlessHeader(name: String, command: String, errors: String) throws {
    let outcome = try CommandLineTool.shell("timeout 600 pricetag \(command)")
    #expect(outcome.status == 1 && outcome.errors == errors, "\(outcome.report)")
  }

  static let invalidPaths: [(name: String, line: String, status: Int32, errors: String)] = [
    (
      "a folder", "pricetag import . --into x.pricetag", 1,
      "pricetag: .: cannot read the file: it is a folder without a metadata.xml; "
    ),
    (
      "a name that is not UTF-8", #"pricetag import $'caf\xe9.json' --into x.pricetag"#, 2,
      "pricetag: the argument \"caf\u{FFFD}.json\" is not UTF-8; rename the file, or pass its contents to standard input (-)\n"
    ),
    (
      "no folder", "pricetag import shop.jsonl --into nowhere/x.pricetag", 1,
      "pricetag: nowhere/x.pricetag: cannot open the catalog: No such file or directory; check the path\n"
    ),
    (
      "a folder as the catalog", "mkdir d; pricetag products d --storefront USA", 1,
      "pricetag: d: cannot read the file: it is a folder without a metadata.xml; "
    ),
  ]

  @Test(arguments: invalidPaths)
  func failsForInvalidPath(name: String, line: String, status: Int32, errors: String) throws {
    try inScratch { folder in
      let outcome = try CommandLineTool.shell("cd '\(folder)'; \(line)")
      #expect(outcome.status == status, "\(outcome.report)")
      #expect(outcome.errors.contains(errors), "\(outcome.report)")
    }
  }
}
