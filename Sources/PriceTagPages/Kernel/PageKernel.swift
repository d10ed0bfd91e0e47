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
/// subscriptions last are computed exactly, in the browser, and written from a pack of the storefront and the language. The
/// field stays hidden in browsers without scripts or WebAssembly, and if a file cannot be loaded.
///
/// It is `Sendable` because locks protect its caches.
public final class PageKernel: Sendable {
  /// The maximum quantity of a product.
  static let maximumQuantity = 999

  /// A file of a site.
  struct File: Sendable {
    let path: String
    let bytes: [UInt8]
  }

  /// A pack that pages use. Its bytes are written again when they are needed, because a site can have thousands.
  private struct UsedPack: Sendable {
    let storefront: Storefront
    let language: UILanguage
    let date: CalendarDate
    let path: String
    /// The path with a fingerprint, so that browsers do not cache an outdated file.
    let address: String
  }

  /// The prices of a storefront's packs, and the registry that is pinned to them; no writer for the pack of a pinned registry.
  private struct Prices: Sendable {
    let writer: PackWriter?
    let localeData: LocaleData
  }

  /// The style of the prices on the pages.
  let style: PriceStyle
  let localeData: LocaleData
  let revision: String
  /// The bytes of the kernel's files, in the order of their names.
  let sources: [[UInt8]]
  /// The packs by the names of their files.
  private let packs = Cache<String, UsedPack?>()
  /// The prices of packs by their storefront, and the phrases by their language.
  private let prices = Cache<String, Prices?>()
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
    return files.map { File(path: "\(folder)/\($0)", bytes: $1) }
  }

  /// Returns the packs that pages have used so far, sorted by path.
  func usedPacks(_ strings: StoreStrings) -> [File] {
    packs.all.compactMap(\.self).sorted { $0.path < $1.path }.compactMap { pack in
      bytes(pack.storefront, pack.language, on: pack.date, strings).map { File(path: pack.path, bytes: $0) }
    }
  }

  /// Returns the pack at a path of a site, or `nil`.
  func pack(at path: String, on date: CalendarDate, _ strings: StoreStrings) -> [UInt8]? {
    guard path.hasPrefix(Self.folder) else { return nil }
    let name = path.dropFirst(Self.folder.count)
    let storefront =
      localeData.pack == nil
      ? try? Storefront(String(name.prefix { $0 != "-" }), in: localeData) : localeData.storefronts.first
    guard let storefront,
      let language = strings.languages.first(where: { self.name(of: storefront, $0) == name })
    else { return nil }
    return bytes(storefront, language, on: date, strings)
  }

  private static let folder = "assets/packs/"

  private func name(of storefront: Storefront, _ language: UILanguage) -> String {
    localeData.pack == nil ? "\(storefront.id)-\(language).pack".lowercased() : "all.pack"
  }

  // MARK: Packs

  /// Returns the address of the pack with which a browser writes the totals of a price, and of a saving; `nil` if the pack
  /// does not write exactly what the library writes.
  func address(for price: FormattedPrice, saving: FormattedPrice?, in store: Store, _ strings: StoreStrings)
    -> String?
  {
    guard price.formatter.style == style,
      let pack = used(store.storefront, store.language, on: store.date, strings),
      let localeData = prices(of: store.storefront, on: store.date)?.localeData
    else { return nil }
    do throws(PriceTagError) {
      let formatter = try PriceFormatter(
        storefront: Storefront(store.storefront.id, in: localeData),
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
      return pack.address
    } catch { return nil }
  }

  /// Adds the packs of a price's storefront to those that pages use.
  func prepare(
    for price: FormattedPrice,
    in storefront: Storefront,
    _ languages: [UILanguage],
    on date: CalendarDate,
    _ strings: StoreStrings
  ) {
    guard price.formatter.style == style else { return }
    for language in languages { _ = used(storefront, language, on: date, strings) }
  }

  private func used(
    _ storefront: Storefront,
    _ language: UILanguage,
    on date: CalendarDate,
    _ strings: StoreStrings
  ) -> UsedPack? {
    let name = name(of: storefront, language)
    return packs.value(of: name) {
      bytes(storefront, language, on: date, strings).map { bytes in
        var fingerprint = Fingerprint()
        fingerprint.add(bytes)
        let path = Self.folder + name
        let address = "\(path)?\(fingerprint.text)"
        return UsedPack(storefront: storefront, language: language, date: date, path: path, address: address)
      }
    }
  }

  private func bytes(
    _ storefront: Storefront,
    _ language: UILanguage,
    on date: CalendarDate,
    _ strings: StoreStrings
  ) -> [UInt8]? {
    guard let writer = prices(of: storefront, on: date)?.writer else { return localeData.pack?.fileBytes }
    let words = phrases.value(of: language) {
      // Without them, the page has its own label.
      (try? PackPhrases([language], of: strings, keys: Self.keys).bytes) ?? []
    }
    return writer.bytes(revision: revision, phrases: words)
  }

  private func prices(of storefront: Storefront, on date: CalendarDate) -> Prices? {
    if localeData.pack != nil { return Prices(writer: nil, localeData: localeData) }
    return prices.value(of: storefront.id) {
      var writer = PackWriter(styles: [style], on: date)
      writer.add(storefront, in: localeData)
      return (try? Pack(writer.bytes(revision: revision))).map { pack in
        Prices(writer: writer, localeData: localeData.pinned(to: pack))
      }
    }
  }
}
