import ArgumentParser
import PriceTag
import PriceTagCatalogFormats
import PriceTagSystem

/// Returns the path of an input. `-` is standard input.
package func inputPath(_ argument: String) -> String { argument == "-" ? "/dev/stdin" : argument }

/// Facts about input files that the files do not state.
package struct ReadingOptions: ParsableArguments {
  @Option(help: .setting(.from, "format")) package var from: CatalogFormat?

  @Option(help: .setting(.pricesOf, "id"), completion: .storefronts) package var pricesOf: String?

  @Option(help: .setting(.reinterpretAs, "id"), completion: .storefronts) package var reinterpretAs: String?

  @Option(help: .setting(.textsIn, "tag")) package var textsIn: String?

  package init() {}

  package func validate() throws {
    guard pricesOf == nil || reinterpretAs == nil else {
      throw ValidationError(
        "--prices-of and --reinterpret-as cannot be combined; remove one"
      )
    }
  }
}

extension CompletionKind {
  /// The identifiers of the storefronts.
  package static var storefronts: CompletionKind {
    .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  }
}

extension CatalogFormat: ExpressibleByArgument {}
