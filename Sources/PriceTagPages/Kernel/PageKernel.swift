import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// The kernel for browsers: with it, product pages compute the total for a quantity, and write it with its words.
///
///     let kernel = try PageKernel(folder: "/usr/local/share/pricetag/kernel")
///     let pages = StorePages(shop: shop, kernel: kernel)
///
/// A product page then has a field for the quantity. Its total, the saving of a reduced price and the time that several
/// subscriptions last are computed exactly, in the browser, and written from a pack of the storefront and the language. The field stays hidden in browsers without scripts or WebAssembly, and if a file cannot be loaded.
///
/// It is `Sendable` because locks protect its packs.
public final class PageKernel: Sendable {
  /// The maximum quantity of a product.
  static let maximumQuantity = 999

  /// A file of a site.
  struct File: Sendable {
    let path: String
    let bytes: [UInt8]
    /// The path with a fingerprint, so that browsers do not cache an outdated file.
    let address: String
  }

  /// A pack's file, and the registry that is pinned to the pack.
  struct StoredPack: Sendable {
    let file: File
    let localeData: LocaleData
  }

  /// The style of the prices on the pages.
  let style: PriceStyle
  let localeData: LocaleData
  let revision: String
  /// The bytes of the kernel's files, in the order of their names.
  let sources: [[UInt8]]
  /// The packs by the names of their files, without the ending.
  private let packs = Cache<String, StoredPack?>()
  /// The prices of packs by their storefront, and the phrases by their language.
  private let writers = Cache<String, PackWriter>()
  private let phrases = Cache<UILanguage, [UInt8]>()
  /// The messages that pages write in the browser.
  private static let keys: Set = ["total_for", "save_price", "days", "weeks", "months", "years"]

  static let names = ["pricetag.js", "phrases.js", "pricetag-full.wasm"]

  /// Reads the kernel.
  ///
  /// - Parameters:
  ///   - folder: The folder with `pricetag.js`, `phrases.js` and `pricetag-full.wasm`, which `make kernel` and `make install`
  ///     write.
  ///   - localeData: The storefronts and currencies of the pages.
  ///   - style: The style of the prices on the pages.
  /// - Throws: `.unreadableFile`; `.invalidKernel` for files that are not the kernel; `.catalogFailed` if the locale data
  ///   cannot be read.
  public init(
    folder: String,
    localeData: LocaleData = .embedded,
    style: PriceStyle = PriceStyle()
  ) throws(PagesError) {
    (self.localeData, self.style) = (localeData, style)
    sources = try Self.names.map { (name) throws(PagesError) in
      let bytes = try Self.bytes(name, in: folder)
      guard !name.hasSuffix(".wasm") || bytes.starts(with: [0x00, 0x61, 0x73, 0x6D, 0x01, 0x00, 0x00, 0x00])
      else {
        throw PagesError(
          .invalidKernel,
          "the file is not a WebAssembly module",
          fix: "build it with make kernel",
          place: "\(printable(folder))/\(name)"
        )
      }
      return bytes
    }
    do throws(PriceTagError) { revision = try localeData.revision() } catch {
      throw PagesError(.catalogFailed, error)
    }
  }

  private static let maximumByteCount = 1 << 20

  private static func bytes(_ name: String, in folder: String) throws(PagesError) -> [UInt8] {
    do throws(RegularFile.Failure) {
      return try RegularFile.bytes(of: "\(folder)/\(name)", limit: maximumByteCount)
    } catch {
      let isTooLarge = error.number == EFBIG
      throw PagesError(
        isTooLarge ? .invalidKernel : .unreadableFile,
        isTooLarge
          ? "the file is larger than \(maximumByteCount >> 20) MB" : "cannot read the file: \(error.reason)",
        fix: "name the folder that make kernel or make install wrote",
        place: "\(printable(folder))/\(name)"
      )
    }
  }

  // MARK: Files

  /// Returns the kernel's files. They refer to each other, so their folder has the fingerprint of all of them.
  ///
  /// - Parameter quantityScript: The script of the field, which imports the kernel.
  func files(quantityScript: String) -> [File] {
    let files = [("quantity.js", Array(quantityScript.utf8))] + zip(Self.names, sources)
    var fingerprint = Fingerprint()
    for (_, bytes) in files { fingerprint.add(bytes) }
    let folder = "assets/kernel-\(fingerprint.text)"
    return files.map { File(path: "\(folder)/\($0)", bytes: $1, address: "\(folder)/\($0)") }
  }

  /// The packs that pages have used so far, sorted by path.
  var usedPacks: [File] { packs.all.compactMap { $0?.file }.sorted { $0.path < $1.path } }

  private static let folder = "assets/packs/"
  private static let ending = ".pack"

  /// Returns the pack at a path of a site, or `nil`.
  func pack(at path: String, on date: CalendarDate, _ strings: StoreStrings) -> File? {
    guard path.hasPrefix(Self.folder), path.hasSuffix(Self.ending) else { return nil }
    let name = path.dropFirst(Self.folder.count).dropLast(Self.ending.count)
    let storefront =
      localeData.pack == nil
      ? try? Storefront(String(name.prefix { $0 != "-" }), in: localeData) : localeData.storefronts.first
    guard let storefront,
      let language = strings.languages.first(where: { self.name(of: storefront, $0) == name })
    else { return nil }
    return stored(storefront, language, on: date, strings)?.file
  }

  // MARK: Packs

  /// Returns the pack with which a browser writes the totals of a price, and of a saving; `nil` if the pack does not write
  /// exactly what the library writes.
  func pack(for price: FormattedPrice, saving: FormattedPrice?, in store: Store, _ strings: StoreStrings)
    -> File?
  {
    guard price.formatter.style == style,
      let stored = stored(store.storefront, store.language, on: store.date, strings)
    else { return nil }
    do throws(PriceTagError) {
      let formatter = try PriceFormatter(
        storefront: Storefront(store.storefront.id, in: stored.localeData),
        locale: price.locale,
        currency: price.currency,
        on: store.date,
        style: style
      )
      for one in [price, saving].compactMap(\.self) {
        for quantity in [1, 2, Self.maximumQuantity] {
          let amount = try one.amount * quantity
          let (total, written) = (try one.formatter.format(amount), try formatter.format(amount))
          guard written.text == total.text, written.spoken == total.spoken else { return nil }
        }
      }
      return stored.file
    } catch { return nil }
  }

  /// Makes the packs of a price's storefront, whether or not they write what the library writes.
  func prepare(
    for price: FormattedPrice,
    in storefront: Storefront,
    _ languages: [UILanguage],
    on date: CalendarDate,
    _ strings: StoreStrings
  ) {
    guard price.formatter.style == style else { return }
    for language in languages { _ = stored(storefront, language, on: date, strings) }
  }

  private func name(of storefront: Storefront, _ language: UILanguage) -> String {
    localeData.pack == nil ? "\(storefront.id)-\(language)".lowercased() : "all"
  }

  private func stored(
    _ storefront: Storefront,
    _ language: UILanguage,
    on date: CalendarDate,
    _ strings: StoreStrings
  ) -> StoredPack? {
    packs.value(of: name(of: storefront, language)) { makePack(storefront, language, on: date, strings) }
  }

  private func makePack(
    _ storefront: Storefront,
    _ language: UILanguage,
    on date: CalendarDate,
    _ strings: StoreStrings
  ) -> StoredPack? {
    let name = name(of: storefront, language)
    if let pinned = localeData.pack {
      return StoredPack(file: Self.file(name, pinned.fileBytes), localeData: localeData)
    }
    let writer = writers.value(of: storefront.id) {
      var writer = PackWriter(styles: [style], on: date)
      writer.add(storefront, in: localeData)
      return writer
    }
    let words = phrases.value(of: language) {
      // Without them, the page has its own label.
      (try? PackPhrases([language], of: strings, keys: Self.keys).bytes) ?? []
    }
    let bytes = writer.bytes(revision: revision, phrases: words)
    return (try? Pack(bytes)).map { pack in
      StoredPack(file: Self.file(name, bytes), localeData: localeData.pinned(to: pack))
    }
  }

  private static func file(_ name: String, _ bytes: [UInt8]) -> File {
    var fingerprint = Fingerprint()
    fingerprint.add(bytes)
    let path = "\(folder)\(name)\(ending)"
    return File(path: path, bytes: bytes, address: "\(path)?\(fingerprint.text)")
  }
}
