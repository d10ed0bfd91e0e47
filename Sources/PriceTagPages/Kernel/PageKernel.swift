import PriceTag
import PriceTagSystem
import PriceTagText
import Synchronization

/// The kernel for browsers: with it, product pages compute the total for a quantity.
///
///     let kernel = try PageKernel(folder: "/usr/local/share/pricetag/kernel")
///     let pages = StorePages(shop: shop, kernel: kernel)
///
/// A product page then has a field for the quantity. Its total is computed exactly, in the browser, and written from a pack
/// of the storefront. The field stays hidden in browsers without scripts or WebAssembly, and if a file cannot be loaded.
///
/// It is `Sendable` because a lock protects its packs.
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
  let script: [UInt8]
  let module: [UInt8]
  /// The packs by storefront; that to which the registry is pinned, for all storefronts, under `nil`.
  private let packs = Mutex<[String?: StoredPack?]>([:])

  /// Reads the kernel.
  ///
  /// - Parameters:
  ///   - folder: The folder with `pricetag.js` and `pricetag.wasm`, which `make kernel` and `make install` write.
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
    script = try Self.bytes("pricetag.js", in: folder)
    module = try Self.bytes("pricetag.wasm", in: folder)
    guard module.starts(with: [0x00, 0x61, 0x73, 0x6D, 0x01, 0x00, 0x00, 0x00]) else {
      throw PagesError(
        .invalidKernel,
        "the file is not a WebAssembly module",
        fix: "build it with make kernel",
        place: "\(printable(folder))/pricetag.wasm"
      )
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
    var fingerprint = Fingerprint()
    for bytes in [script, module, Array(quantityScript.utf8)] { fingerprint.add(bytes) }
    let folder = "assets/kernel-\(fingerprint.text)"
    return [
      ("quantity.js", Array(quantityScript.utf8)), ("pricetag.js", script), ("pricetag.wasm", module),
    ].map { File(path: "\(folder)/\($0)", bytes: $1, address: "\(folder)/\($0)") }
  }

  /// The packs that pages have used so far, sorted by path.
  var usedPacks: [File] {
    packs.withLock { packs in packs.values.compactMap { $0?.file } }.sorted { $0.path < $1.path }
  }

  private static let folder = "assets/packs/"
  private static let ending = ".pack"

  /// Returns the pack at a path of a site, or `nil`.
  func pack(at path: String, on date: CalendarDate) -> File? {
    guard path.hasPrefix(Self.folder), path.hasSuffix(Self.ending) else { return nil }
    let name = String(path.dropFirst(Self.folder.count).dropLast(Self.ending.count))
    let storefront =
      localeData.pack == nil ? try? Storefront(name, in: localeData) : localeData.storefronts.first
    guard let storefront else { return nil }
    let file = stored(storefront, on: date)?.file
    return file?.path == path ? file : nil
  }

  // MARK: Packs

  /// Returns the pack with which a browser writes the totals of a price; `nil` if the pack does not write exactly what the
  /// library writes.
  func pack(for price: FormattedPrice, in store: Store) -> File? {
    guard let stored = prepare(for: price, in: store.storefront, on: store.date) else { return nil }
    do throws(PriceTagError) {
      let formatter = try PriceFormatter(
        storefront: Storefront(store.storefront.id, in: stored.localeData),
        locale: price.locale,
        currency: price.currency,
        on: store.date,
        style: style
      )
      for quantity in [1, 2, Self.maximumQuantity] {
        let amount = try price.amount * quantity
        let (total, written) = (try price.formatter.format(amount), try formatter.format(amount))
        guard written.text == total.text, written.spoken == total.spoken else { return nil }
      }
      return stored.file
    } catch { return nil }
  }

  /// Returns the pack of a price's storefront, whether or not it writes what the library writes.
  @discardableResult
  func prepare(for price: FormattedPrice, in storefront: Storefront, on date: CalendarDate) -> StoredPack? {
    price.formatter.style == style ? stored(storefront, on: date) : nil
  }

  private func stored(_ storefront: Storefront, on date: CalendarDate) -> StoredPack? {
    let key = localeData.pack == nil ? storefront.id : nil
    if let stored = packs.withLock({ $0[key] }) { return stored }
    let new = makePack(storefront, on: date)
    // Another thread may have stored the same pack.
    return packs.withLock { packs in
      if let stored = packs[key] { return stored }
      packs[key] = .some(new)
      return new
    }
  }

  private func makePack(_ storefront: Storefront, on date: CalendarDate) -> StoredPack? {
    if let pinned = localeData.pack {
      return StoredPack(file: Self.file("all", pinned.fileBytes), localeData: localeData)
    }
    var writer = PackWriter(styles: [style], on: date)
    writer.add(storefront, in: localeData)
    let bytes = writer.bytes(revision: revision)
    return (try? Pack(bytes)).map { pack in
      StoredPack(
        file: Self.file(storefront.id.lowercased(), bytes),
        localeData: localeData.pinned(to: pack)
      )
    }
  }

  private static func file(_ name: String, _ bytes: [UInt8]) -> File {
    var fingerprint = Fingerprint()
    fingerprint.add(bytes)
    let path = "\(folder)\(name)\(ending)"
    return File(path: path, bytes: bytes, address: "\(path)?\(fingerprint.text)")
  }
}
