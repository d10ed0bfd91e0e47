import ArgumentParser

/// The command line of `pricetag serve`, which the command and the server read alike: the one to reject what is wrong
/// and to know it for help and completion, the other to do it.
package struct ServeArguments: ParsableArguments {
  package static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve prices, products, strings and store pages over HTTP.",
    discussion: """
      Examples:
        pricetag serve shop.pricetag                              http://127.0.0.1:8080/docs tells what there is
        pricetag serve shop.json --host 0.0.0.0 --port 80 --log-format json
        PRICETAG_PORT=9000 pricetag serve shop.pricetag --config pricetag.json
        pricetag serve shop.pricetag --tls-certificate chain.pem --tls-key key.pem

      What an option says can also be said by an environment variable (--max-body-bytes is PRICETAG_MAX_BODY_BYTES) and \
      in a JSON file (maxBodyBytes); an option goes before a variable, and that before the file.

      The catalogue is read again when its file changes, and on SIGHUP; a new one that cannot be read leaves the old one \
      serving. SIGHUP also reads the certificate and the folder of --assets again. SIGTERM and SIGINT finish the requests that are in flight, and a second one stops at once.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "A catalogue: a database of pricetag import's, or any file it reads.",
      valueName: "catalog"
    ),
    completion: .file()
  )
  package var catalog: String?

  @Option(
    help: ArgumentHelp("A JSON file of settings (or PRICETAG_CONFIG).", valueName: "file"),
    completion: .file()
  )
  package var config: String?

  @OptionGroup(title: "Listening") package var listening: ListeningOptions
  @OptionGroup(title: "Limits") package var limits: LimitOptions
  @OptionGroup(title: "Pages") package var pages: ServedPagesOptions
  @OptionGroup(title: "Reading files") package var reading: ReadingOptions
  @OptionGroup(title: "Locale data") package var data: LocaleDataOptions

  package init() {}
}
