import CommandLineTools
import Foundation
import Testing

/// Runs `pricetag batch`.
@Suite struct BatchCommandTests {
  private static let rows = #"{"storefront":"JPN","amount":"1200"}\n{"storefront":"USA","amount":"4.99"}\n"#
  private static let displays = """
    {"storefront":"JPN","amount":"1200","display":"￥1,200"}
    {"storefront":"USA","amount":"4.99","display":"$4.99"}

    """

  /// Calls a closure with a temporary folder, and removes it.
  private func inScratch(_ body: (String) throws -> Void) throws {
    try CommandLineTool.inFolder { try body($0.path) }
  }

  /// Runs a shell script in a folder that has `rows.jsonl`, and `bad.jsonl` with an invalid row.
  private func shell(_ line: String, in folder: String) throws -> CommandLineTool.Outcome {
    try CommandLineTool.shell(
      """
      cd '\(folder)'
      printf '%b' '\(Self.rows)' >rows.jsonl
      printf '%b{"storefront":"USX","amount":"1"}\\n' '\(Self.rows)' >bad.jsonl
      \(line)
      """
    )
  }

  private static let unknown = "unknown storefront \"USX\"; did you mean \"USA\"?"

  static let runs: [(name: String, line: String, status: Int32, output: String, errors: String)] = [
    ("valid rows", "pricetag batch rows.jsonl", 0, displays, "rows: 2 read, 2 formatted, 0 rejected\n"),
    ("standard input", "pricetag batch <rows.jsonl", 0, displays, "rows: 2 read, 2 formatted, 0 rejected\n"),
    ("a dash is standard input", "cat rows.jsonl | pricetag batch - --quiet", 0, displays, ""),
    ("a dash is standard output", "pricetag batch rows.jsonl -o - --quiet", 0, displays, ""),
    (
      "a rejected row", "pricetag batch bad.jsonl", 3, displays,
      """
      pricetag: rejected: line 3, field "storefront": \(unknown)
      rejected for unknown-storefront: 1
      rows: 3 read, 2 formatted, 1 rejected

      """
    ),
    ("--quiet", "pricetag batch bad.jsonl --quiet", 3, displays, ""),
    (
      "--rejects", "pricetag batch bad.jsonl --rejects r.jsonl; code=$?; cat r.jsonl; exit $code", 3,
      displays + #"""
        {"line":3,"byte":74,"field":"storefront","code":"unknown-storefront","message":"\#(unknown.replacing("\"", with: "\\\""))","row":"{\"storefront\":\"USX\",\"amount\":\"1\"}"}

        """#,
      "rejected for unknown-storefront: 1\nrows: 3 read, 2 formatted, 1 rejected\n"
    ),
    (
      "--strict", "pricetag batch bad.jsonl --strict -o out.jsonl; code=$?; ls; exit $code", 1,
      "bad.jsonl\nrows.jsonl\n",
      "pricetag: bad.jsonl, line 3, field \"storefront\": \(unknown); to reject such rows and continue, remove --strict\n"
    ),
    (
      "--strict with an existing output file",
      "echo old >out.jsonl; pricetag batch bad.jsonl --strict -o out.jsonl 2>/dev/null; code=$?; ls; cat out.jsonl; exit $code",
      1,
      "bad.jsonl\nout.jsonl\nrows.jsonl\nold\n", ""
    ),
    (
      "no such file", "pricetag batch nope.jsonl -o out.jsonl; code=$?; ls; exit $code", 1,
      "bad.jsonl\nrows.jsonl\n",
      "pricetag: nope.jsonl: cannot read the file: No such file or directory; check the path, or use - for standard input\n"
    ),
    (
      "an invalid option", "pricetag batch --jobs 0 rows.jsonl", 2, "",
      "pricetag: --jobs 0 is not between 1 and 256; use a number in this range (see pricetag help)\n"
    ),
    (
      "an unknown field", "pricetag batch --fields spokn rows.jsonl", 2, "",
      "pricetag: The value 'spokn' is invalid for '--fields <fields>': unknown field \"spokn\"; did you mean \"spoken\"? (see pricetag help)\n"
    ),
    (
      "format by the ending", "pricetag batch rows.jsonl -o out.csv --quiet; cat out.csv", 0,
      "storefront,amount,display\nJPN,1200,\"￥1,200\"\nUSA,4.99,$4.99\n", ""
    ),
    (
      "format by the option", "pricetag batch rows.jsonl --to csv --delimiter ';' --quiet", 0,
      "storefront;amount;display\nJPN;1200;￥1,200\nUSA;4.99;$4.99\n", ""
    ),
    (
      "tabs by the ending", "pricetag batch rows.jsonl -o out.tsv --quiet; cat out.tsv", 0,
      "storefront\tamount\tdisplay\nJPN\t1200\t￥1,200\nUSA\t4.99\t$4.99\n", ""
    ),
    (
      "compressed output and input",
      "pricetag batch rows.jsonl -o out.jsonl.gz --quiet && gzip -dc out.jsonl.gz && pricetag batch out.jsonl.gz --overwrite --quiet",
      0,
      displays + displays, ""
    ),
    (
      "input compressed by gzip",
      "gzip rows.jsonl; pricetag batch - --quiet <rows.jsonl.gz; pricetag batch rows.jsonl.gz --quiet", 0,
      displays + displays, ""
    ),
    (
      "a link stays one",
      "mkdir d; ln -s d/out.jsonl out.jsonl; for i in 1 2; do pricetag batch rows.jsonl -o out.jsonl --quiet; done; cat d/out.jsonl; readlink out.jsonl",
      0,
      displays + "d/out.jsonl\n", ""
    ),
    (
      "permissions stay",
      "umask 022; echo old >out.jsonl; chmod 640 out.jsonl; pricetag batch rows.jsonl -o out.jsonl --quiet; stat -c %a out.jsonl",
      0, "640\n", ""
    ),
    ("a named pipe", "mkfifo p; cat p & pricetag batch rows.jsonl -o p --quiet; wait", 0, displays, ""),
    (
      "rejects do not replace the file of standard error",
      "pricetag batch bad.jsonl --quiet --rejects /dev/stderr >/dev/null 2>log; echo more >>log; cut -c1-18 log",
      0,
      "{\"line\":3,\"byte\":7\nmore\n", ""
    ),
    // Standard error is a removed file.
    (
      "a file without a name",
      "ln -s /proc/self/fd/2 l; exec 9>&2 2>gone; rm gone; pricetag batch bad.jsonl --quiet --rejects l >/dev/null; echo $?; exec 2>&9; ls",
      0,
      "3\nbad.jsonl\nl\nrows.jsonl\n", ""
    ),
  ]

  @Test(arguments: runs)
  func runsCommand(name: String, line: String, status: Int32, output: String, errors: String) throws {
    try inScratch { folder in
      let outcome = try shell(line, in: folder)
      #expect(outcome.output == output, "\(name): \(outcome.report)")
      #expect(outcome.errors == errors && outcome.status == status, "\(name): \(outcome.report)")
    }
  }

  @Test func printsFirstRejectsOnly() throws {
    try inScratch { folder in
      let outcome = try shell("yes '{}' | head -50 | pricetag batch -", in: folder)
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 23 && outcome.status == 3, "\(outcome.report)")
      #expect(
        lines.dropFirst(20) == [
          "pricetag: … and 30 more (--rejects FILE writes all of them)",
          "rejected for missing-storefront: 50", "rows: 50 read, 0 formatted, 50 rejected",
        ]
      )
    }
  }

  @Test func reportsRejectsWithoutSuggestion() throws {
    try inScratch { folder in
      let row = #"{"storefront":"Germany","amount":"1"}"#
      let outcome = try shell("yes '\(row)' | head -1500 | pricetag batch - --rejects r", in: folder)
      let lines = outcome.errors.split(separator: "\n")
      #expect(
        lines.first
          == "pricetag: note: the first 1000 rejects suggest the closest match, the other 500 do not",
        "\(outcome.report)"
      )
      let suggestions = try shell("grep -c 'did you mean .*DEU' r", in: folder)
      #expect(suggestions.output == "1000\n")
    }
  }

  // MARK: Invalid outputs

  static let inputs: [(name: String, line: String)] = [
    ("the same name", "pricetag batch rows.jsonl -o rows.jsonl"),
    ("another spelling", "pricetag batch rows.jsonl -o ./rows.jsonl"),
    ("a symbolic link to it", "ln -s rows.jsonl l; pricetag batch rows.jsonl -o l"),
    ("the input by a link", "ln -s rows.jsonl l; pricetag batch l -o rows.jsonl"),
    ("a hard link to it", "ln rows.jsonl l; pricetag batch rows.jsonl -o l"),
    ("standard output", "pricetag batch rows.jsonl >>rows.jsonl"),
    ("both standard streams", "pricetag batch <rows.jsonl >>rows.jsonl"),
    ("standard input", "pricetag batch -o rows.jsonl <rows.jsonl"),
    ("the rejects", "pricetag batch rows.jsonl --rejects rows.jsonl"),
  ]

  @Test(arguments: inputs)
  func doesNotOverwriteInput(name: String, line: String) throws {
    try inScratch { folder in
      let outcome = try shell("\(line); code=$?; cat rows.jsonl; exit $code", in: folder)
      #expect(
        outcome.status == 1 && outcome.errors.split(separator: "\n").count == 1,
        "\(name): \(outcome.report)"
      )
      #expect(
        outcome.errors.contains("rows.jsonl") || outcome.errors.contains("input"),
        "\(name): \(outcome.report)"
      )
      #expect(outcome.output == Self.rows.replacing("\\n", with: "\n"), "\(name): \(outcome.report)")
    }
  }

  @Test func doesNotMixOutputAndRejects() throws {
    try inScratch { folder in
      let outcome = try shell("pricetag batch bad.jsonl -o out --rejects ./out; ls", in: folder)
      #expect(
        outcome.errors.hasPrefix("pricetag: the output and --rejects are the same file"),
        "\(outcome.report)"
      )
    }
  }

  @Test func failsForMissingFolder() throws {
    try inScratch { folder in
      let outcome = try shell("pricetag batch rows.jsonl -o nope/out.jsonl", in: folder)
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.report)")
      #expect(
        outcome.errors.hasPrefix("pricetag: nope/out.jsonl: cannot write the file: No such file"),
        "\(outcome.report)"
      )
    }
  }

  private static let canMount: Bool = {
    let tried = try? CommandLineTool.shell(
      "unshare -m true && d=$(mktemp -d) && unshare -m mount -t tmpfs -o size=1m none $d; code=$?; rmdir $d; exit $code"
    )
    return tried?.status == 0
  }()

  @Test func failsForReadOnlyFolder() throws {
    // The superuser may write to every folder, except without this capability.
    let prefix = geteuid() == 0 ? "setpriv --bounding-set=-dac_override" : ""
    try inScratch { folder in
      let outcome = try shell(
        "mkdir d; chmod 555 d; \(prefix) pricetag batch rows.jsonl -o d/out.jsonl",
        in: folder
      )
      #expect(outcome.status == 1 && outcome.errors.contains("Permission denied"), "\(outcome.report)")
    }
  }

  @Test(.enabled(if: canMount, "only the superuser can mount a small disk"))
  func failsForFullDisk() throws {
    try inScratch { folder in
      for (to, name) in [
        ("-o d/out.jsonl", "\"[^\"]*d/out.jsonl\""), (">d/out.jsonl", "standard output"),
        ("-o - --rejects d/out.jsonl >/dev/null", ""),
      ] {
        let outcome = try shell(
          """
          mkdir -p d
          unshare -m bash -c '
            mount -t tmpfs -o size=1m none d
            echo old >d/old
            yes "{\\"storefront\\":\\"USX\\",\\"amount\\":\\"1\\"}
          {\\"storefront\\":\\"USA\\",\\"amount\\":\\"1\\"}" | head -60000 | pricetag batch - --quiet \(to)
            echo ${PIPESTATUS[2]}
            \(to.hasPrefix(">") ? "rm d/out.jsonl" : ":")
            ls d'
          """,
          in: folder
        )
        #expect(outcome.output == "1\nold\n", "\(to): \(outcome.report)")
        #expect(
          outcome.errors.contains("cannot write the file: No space left on device"),
          "\(name): \(outcome.report)"
        )
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.report)")
      }
    }
  }

  @Test func endsSilentlyForClosedPipe() throws {
    try inScratch { folder in
      for trap in ["", "trap '' PIPE;"] {
        let outcome = try shell(
          "yes \"$(head -1 rows.jsonl)\" | head -300000 >many; (\(trap) pricetag batch many --quiet) | head -1; echo ${PIPESTATUS[0]}",
          in: folder
        )
        #expect(
          outcome.output == Self.displays.split(separator: "\n")[0] + "\n141\n" && outcome.errors.isEmpty,
          "\(outcome.report)"
        )
      }
    }
  }

  // MARK: Interruptions

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func reportsProgressOnSignal(signal: String, status: Int32) throws {
    try inScratch { folder in
      let outcome = try shell(
        """
        mkfifo in out
        set -m
        pricetag batch in --quiet >out &
        exec 9<out 8>in
        # When the second rows are written, the first rows are counted.
        for round in 1 2; do
          cat bad.jsonl >&8
          read -r -u 9 && read -r -u 9
        done
        kill -\(signal) $!
        wait $!
        """,
        in: folder
      )
      #expect(
        outcome.errors.contains(
          #/^pricetag: stopped by SIG(INT|TERM): [36] rows were read, [12] of them rejected\n/#
        ),
        "\(outcome.report)"
      )
      #expect(outcome.status == status, "\(outcome.report)")
    }
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func keepsOldFileOnSignal(signal: String, status: Int32) throws {
    try inScratch { folder in
      let outcome = try shell(
        """
        mkdir d
        echo old >d/out.jsonl
        mkfifo in
        set -m
        pricetag batch in -o d/out.jsonl --rejects d/r.jsonl &
        exec 8>in
        cat bad.jsonl >&8
        kill -\(signal) $!
        wait $!
        code=$?
        ls d
        cat d/out.jsonl
        exit $code
        """,
        in: folder
      )
      #expect(outcome.output == "out.jsonl\nold\n" && outcome.status == status, "\(outcome.report)")
      #expect(
        outcome.errors.contains(
          #/^pricetag: stopped by SIG\w+: \d rows were read, \d of them rejected; the output file is unchanged\n/#
        ),
        "\(outcome.report)"
      )
    }
  }

  /// A killed run leaves the old file or the complete new one. Between linking and renaming the new file, a kill leaves the
  /// temporary name, with complete contents. More than one such kill in a hundred is a failure.
  @Test func leavesNoPartialFileWhenKilled() throws {
    try inScratch { folder in
      let outcome = try shell(
        """
        yes "$(cat rows.jsonl)" | head -20000 >many
        start=${EPOCHREALTIME/./}
        pricetag batch many -o complete --quiet
        took=$(((${EPOCHREALTIME/./} - start) * 12 / 10))
        [ $took -gt 150000 ] && took=150000
        mkdir d
        killed=0
        beside=0
        for i in $(seq 100); do
          echo old >d/out
          pricetag batch many -o d/out --quiet &
          moment=000000$((RANDOM * 32768 % took + RANDOM % took))
          sleep 0.${moment: -6}
          kill -KILL $!
          wait $!
          [ $? = 137 ] && killed=$((killed + 1))
          for part in d/out.*; do
            [ -e "$part" ] || continue
            cmp "$part" complete || echo "an incomplete $part"
            beside=$((beside + 1))
            rm "$part"
          done
          [ "$(ls d)" = out ] || ls d
          [ "$(head -c 4 d/out)" = old ] || cmp d/out complete || echo "neither old nor new"
        done 2>/dev/null
        [ $beside -le 1 ] || echo "$beside beside it"
        [ $killed -gt 10 ] && echo killed
        """,
        in: folder
      )
      #expect(outcome.output == "killed\n", "\(outcome.report)")
    }
  }

  // MARK: Threads

  @Test func writesSameBytesWithAnyNumberOfJobs() throws {
    try inScratch { folder in
      let outcome = try shell(
        """
        for i in $(seq 40000); do printf '{"storefront":"USA","amount":"%d"}\\n{"storefront":"DEU","amount":"%d.5","n":%d}\\n{%d\\n' $i $i $i $i; done >many
        for jobs in 1 2 8; do
          pricetag batch many -o out$jobs --rejects r$jobs --jobs $jobs --quiet
          cat many | pricetag batch - --rejects p$jobs --jobs $jobs --quiet >pipe$jobs
        done
        cksum <out1
        for jobs in 1 2 8; do cmp out1 out$jobs; cmp r1 r$jobs; cmp out1 pipe$jobs; cmp r1 p$jobs; done
        wc -l out1 r1 | head -2 | tr -s ' '
        """,
        in: folder
      )
      #expect(
        outcome.output.split(separator: "\n").count == 3
          && outcome.output.contains(" 80000 out1\n 40000 r1\n"),
        "\(outcome.report)"
      )
      #expect(outcome.errors.isEmpty, "\(outcome.report)")
    }
  }

  // MARK: Progress

  private static let hasTerminals = (try? CommandLineTool.shell("script -qec true /dev/null").status) == 0

  @Test func showsNoProgressWithoutTerminal() throws {
    try inScratch { folder in
      let outcome = try shell(
        "yes \"$(cat rows.jsonl)\" | head -100000 >many; pricetag batch many -o out",
        in: folder
      )
      #expect(outcome.errors == "rows: 100000 read, 100000 formatted, 0 rejected\n", "\(outcome.report)")
    }
  }

  @Test(.enabled(if: hasTerminals, "script, which creates a terminal, is not installed"))
  func showsProgressOnTerminal() throws {
    try inScratch { folder in
      let outcome = try shell(
        #"yes "$(cat rows.jsonl)" | head -100000 >many; script -qec "pricetag batch many -o out" /dev/null"#,
        in: folder
      )
      #expect(outcome.output.contains("%  ") && outcome.output.contains("█"), "\(outcome.report)")
      // It is removed before the summary.
      #expect(outcome.output.contains("\u{1B}[Krows: 100000 read"), "\(outcome.report)")
      let quiet = try shell(#"script -qec "pricetag batch many -o out --quiet" /dev/null"#, in: folder)
      #expect(quiet.output.isEmpty, "\(quiet.report)")
    }
  }
}
