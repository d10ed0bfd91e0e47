import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// A fingerprint of everything that a site is written from. A site with the same one need not be written again.
///
/// All inputs are added in this file, each under the name of its type and property. A test compares these names with the
/// stored properties of the types, so that a new property is either added here or listed there with the reason why not.
struct SiteInputs {
  /// The digests of each kind of inputs.
  private var digests: [String: ContentDigest] = [:]
  private var kind = ""
  private var digest: ContentDigest {
    get { digests[kind] ?? ContentDigest() }
    set { digests[kind] = newValue }
  }
  /// Whether an input cannot be read.
  private var isIncomplete = false
  /// The names of the inputs.
  private(set) var names: Set<String> = []

  init() { addProcess() }

  /// The fingerprint; `nil` if an input cannot be read. The site is written then.
  var text: String? {
    isIncomplete ? nil : digests.map { "\($0.key)=\($0.value.text)" }.sorted().joined(separator: ",")
  }

  /// Returns why the complete site must be written; `nil` if only products have changed since it was.
  func reasonToWriteAll(after record: SiteFileList.Record?) -> String? {
    guard let text else { return "an input cannot be read" }
    guard let record else { return "no record of a complete site" }
    let changed = Set(text.split(separator: ",")).symmetricDifference(record.inputs.split(separator: ","))
    let kinds = Set(changed.map { $0.prefix { $0 != "=" } }).subtracting(["products"]).sorted()
    return kinds.isEmpty ? nil : "\(kinds.joined(separator: ", ")) changed"
  }

  private mutating func add(name: String) {
    names.insert(name)
    kind =
      switch name {
      case "Site.snapshot": "products"
      case "ListingRequest.day": "dates"
      case "ListingRequest.strings": "strings"
      case "ListingRequest.storefronts": "storefronts"
      case "PageTemplates.texts": "templates"
      case "SiteAssets.files": "assets"
      case _ where name.hasPrefix("process."): "program"
      case _ where name.hasPrefix("PageKernel."): "kernel"
      default: "options"
      }
    digest.add(name)
  }

  /// Adds a named input. Values of the same name are a list.
  mutating func add(_ name: String, _ value: String?) {
    add(name: name)
    digest.add(value)
  }

  mutating func add(_ name: String, _ bytes: [UInt8]) {
    add(name: name)
    digest.add(bytes)
  }

  mutating func add(_ name: String, _ flag: Bool) { add(name, flag ? "true" : "false") }

  /// Adds the contents of a file.
  ///
  /// The size and the time of the last change are not enough: a tool that restores the time may replace a picture by
  /// another one of the same size. Reading a file costs no more than comparing it with its copy in the site, as a run
  /// that writes the site does.
  mutating func add(_ name: String, file path: String) {
    add(name: name)
    guard let (descriptor, size) = try? RegularFile.descriptor(of: path) else {
      isIncomplete = true
      return
    }
    defer { close(descriptor) }
    digest.add(size)
    let isRead = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = RegularFile.fill(buffer, from: descriptor)
        guard count >= 0 else { return false }
        digest.addPart(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        if count < buffer.count { return true }
      }
    }
    if !isRead { isIncomplete = true }
  }

  // MARK: The program

  /// Adds the program with its embedded data and its libraries, and the versions of ICU and its data.
  private mutating func addProcess() {
    let versions = Versions.current
    for version in [versions.priceTag, versions.icu, versions.cldr, versions.unicode] {
      add("process.versions", version)
    }
    guard let files = ProgramFiles.all() else { return isIncomplete = true }
    for file in files { add("process.files", file) }
  }
}

extension ContentDigest {
  /// Adds a time of a file.
  mutating func add(_ time: timespec) {
    add(time.tv_sec)
    add(time.tv_nsec)
  }
}

// MARK: The inputs of each type

extension Site {
  /// Returns everything that the site is written from.
  func inputs() -> SiteInputs {
    var inputs = SiteInputs()
    inputs.add("Site.snapshot", products.all.text)
    inputs.add("ListingRequest.storefronts", catalog.localeData.digest)
    inputs.add("Site.defaultLanguage", defaultLanguage.identifier)
    inputs.add("Site.canMakePayments", canMakePayments)
    inputs.add("Site.includesEverywherePages", includesEverywherePages)
    add(request, to: &inputs)
    add(pages.shop, to: &inputs)
    for (name, text) in pages.templates.texts.sorted(by: { $0.key < $1.key }) {
      inputs.add("PageTemplates.texts", name)
      inputs.add("PageTemplates.texts", text)
    }
    if let kernel = pages.kernel {
      inputs.add("PageKernel.style", String(reflecting: kernel.style))
      inputs.add("PageKernel.localeData", kernel.localeData.digest)
      inputs.add("PageKernel.revision", kernel.revision)
      for bytes in kernel.sources { inputs.add("PageKernel.sources", bytes) }
    }
    for (path, source) in assets.all {
      inputs.add("SiteAssets.files", path)
      inputs.add("SiteAssets.files", file: source)
    }
    return inputs
  }

  private func add(_ request: ListingRequest, to inputs: inout SiteInputs) {
    for storefront in request.storefronts { inputs.add("ListingRequest.storefronts", storefront.digest) }
    switch request.languages {
    case .store: inputs.add("ListingRequest.languages", "store")
    case .list(let languages):
      for language in languages { inputs.add("ListingRequest.languages", language.identifier) }
    }
    // The dates of an instant, so that a site is the same until a date changes.
    for storefront in request.storefronts {
      inputs.add("ListingRequest.day", (try? request.date(in: storefront))?.description)
    }
    inputs.add("ListingRequest.mode", request.mode.rawValue)
    // All stored properties.
    inputs.add("ListingRequest.style", String(reflecting: request.style))
    inputs.add("ListingRequest.unitPriceRounding", request.unitPriceRounding?.rawValue)
    inputs.add("ListingRequest.taxInclusion", request.taxInclusion?.rawValue)
    inputs.add("ListingRequest.strings", request.strings.digest)
  }

  private func add(_ shop: Shop, to inputs: inout SiteInputs) {
    inputs.add("Shop.name", shop.name)
    inputs.add("Shop.logo", shop.logo)
    inputs.add("Shop.url", shop.url)
    inputs.add("Shop.checkout", shop.checkout)
    inputs.add("Shop.theme", shop.theme.css)
    inputs.add("Shop.showsTaxLabels", shop.showsTaxLabels)
    inputs.add("Shop.showsPriceDate", shop.showsPriceDate)
    inputs.add("Shop.productsPerPage", "\(shop.productsPerPage)")
    inputs.add("Shop.shownOffers", shop.shownOffers.map(\.rawValue).sorted().joined(separator: " "))
    inputs.add("Shop.announcesIncreases", shop.announcesIncreases)
    inputs.add("Shop.hero", shop.hero)
    for link in Shop.LegalLink.allCases { inputs.add("Shop.legalLinks", shop.legalLinks[link]) }
  }
}
