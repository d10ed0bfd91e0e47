import ArgumentParser

/// The command line of `pricetag serve`.
///
/// Both executables read it. The command checks it, and knows it for help and completion; the server runs it.
package struct ServeArguments: ParsableArguments {
  package static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve prices, products, UI strings and store pages over HTTP.",
    discussion: """
      An overview of the HTTP interface is served at /docs, and its OpenAPI description at /openapi.json.

      Examples:
        pricetag serve shop.pricetag
        pricetag serve shop.json --host 0.0.0.0 --port 80 --log-format json
        pricetag serve shop.pricetag --config pricetag.json --check
        PRICETAG_PORT=9000 pricetag serve shop.pricetag --config pricetag.json
        pricetag serve shop.pricetag --tls-certificate chain.pem --tls-key key.pem

      Every option except --check is also an environment variable (--max-body-bytes is PRICETAG_MAX_BODY_BYTES) and a key of the JSON \
      file of --config (maxBodyBytes). An option takes precedence over a variable, and a variable over the file.

      The service reads the catalog again when its file changes, and on SIGHUP. If the new catalog cannot be read, the \
      service continues with the current one. On SIGHUP it also reads the certificate and the folder of --assets again. \
      SIGTERM and SIGINT stop the service after the current requests; a second signal stops it at once.

      Exit codes: 0 the service was stopped, or --check found no errors; 1 it could not start or failed; 2 the command line or \
      a setting is wrong.
      """
  )

  @Argument(help: .setting(.catalog, "catalog"), completion: .file()) package var catalog: String?

  @Option(
    help: ArgumentHelp("A JSON file of settings (default: PRICETAG_CONFIG).", valueName: "file"),
    completion: .file()
  )
  package var config: String?

  @Flag(
    help: "Read the settings, the certificate and the catalog, report errors, and exit without listening."
  )
  package var check = false

  @OptionGroup(title: "Listening") package var listening: ListeningOptions
  @OptionGroup(title: "Limits") package var limits: LimitOptions
  @OptionGroup(title: "Pages") package var pages: ServedPagesOptions
  @OptionGroup(title: "Reading files") package var reading: ReadingOptions
  @OptionGroup(title: "Locale data") package var data: LocaleDataOptions

  package init() {}
}
