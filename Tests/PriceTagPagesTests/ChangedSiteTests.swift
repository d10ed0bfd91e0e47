import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagStrings
import SeededNumbers
import Testing

@testable import PriceTagPages

/// Tests of writing only the pages of changed products: the site is always that of a complete run.
@Suite struct ChangedSiteTests {
  /// The products of a shop that random edits change.
  private struct Model {
    /// A JSON object: texts of JSON by key.
    typealias Fields = [String: String]

    var random: SeededNumbers
    var products: [Fields] = []
    var categories = ["a": "Cars", "b": "Coins", "c": "Extras"]
    var groups = ["g": "Club", "h": "Pass"]
    var tiers = ["1": "0.99", "2": "1.99"]
    private var number = 0

    init(seed: UInt64, count: Int) {
      random = SeededNumbers(seed: seed)
      for _ in 0..<count { products.append(newProduct()) }
    }

    private static func object(_ fields: Fields) -> String {
      "{\(fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }

    private static func named(_ names: [String: String], _ key: String) -> String {
      "[\(names.sorted { $0.key < $1.key }.map { #"{"identifier":"\#($0.key)","names":{"en-US":"\#($0.value)","de":"\#($0.value)e"}}"# }.joined(separator: ","))]"
    }

    var json: String {
      let tiers = tiers.sorted { $0.key < $1.key }.map {
        #"{"tier":"\#($0.key)","prices":{"USA":"\#($0.value)","JPN":"160","DEU":"\#($0.value)"}}"#
      }
      return Self.object([
        "format": #""pricetag-catalog""#, "version": "1", "tiers": "[\(tiers.joined(separator: ","))]",
        "categories": Self.named(categories, "category"), "subscriptionGroups": Self.named(groups, "group"),
        "products": "[\(products.map(Self.object).joined(separator: ","))]",
      ])
    }

    private mutating func price() -> String { "\"\(random.number(0...20)).99\"" }

    private mutating func text() -> String {
      let number = random.number(1...999)
      let german =
        random.isOne(in: 2) ? #","de":{"name":"Ding \#(number)","description":"Gut \#(number)"}"# : ""
      return #"{"en-US":{"name":"Item \#(number)","description":"No. \#(number)"}\#(german)}"#
    }

    private mutating func prices() -> String {
      var prices = ["USA": price(), "JPN": "\"\(random.number(1...9))00\"", "DEU": price()]
      if random.isOne(in: 4) {
        prices["USA"] =
          #"[{"amount":\#(price()),"until":"2026-11-09"},{"amount":\#(price()),"from":"2026-11-10","until":"2026-11-30"},{"amount":\#(price()),"from":"2026-12-01"}]"#
      }
      if random.isOne(in: 4) { prices[random.pick(["USA", "JPN", "DEU"])] = nil }
      return Self.object(prices)
    }

    private mutating func newProduct() -> Fields {
      number += 1
      var fields = [
        "productIdentifier": "\"item\(random.number(10...99)).\(number)\"",
        "sortOrder": "\(random.number(1...99))",
        "kind": "\"\(random.pick(["consumable", "non-consumable"]))\"", "prices": prices(),
        "localizations": text(), "category": "\"\(random.pick(["a", "b", "c"]))\"",
      ]
      if random.isOne(in: 4) { fields.merge(subscription()) { $1 } }
      return fields
    }

    private mutating func subscription() -> Fields {
      var fields: Fields = [:]
      fields["kind"] = #""auto-renewable-subscription""#
      fields["subscriptionPeriod"] = random.pick([#""P1M""#, #""P1Y""#])
      fields["subscriptionGroup"] = random.pick([#""g""#, #""h""#])
      fields["groupLevel"] = "\(random.number(1...3))"
      return fields
    }

    /// The names of the edits.
    static let edits = [
      "price", "schedule", "tier", "price of a tier", "text", "image", "images", "add", "remove", "rename",
      "category",
      "name of a category", "group", "name of a group", "order", "all orders", "storefronts", "offer",
      "related",
      "approval", "tax", "content", "price locale", "kind",
    ]

    mutating func edit(_ name: String) {
      var index = random.number(0...products.count - 1)
      func set(_ key: String, _ value: String?) { products[index][key] = value }
      switch name {
      case "price": set("prices", #"{"USA":\#(price()),"JPN":"100"}"#)
      case "schedule": set("prices", prices())
      case "tier": set("tier", random.pick([nil, #""1""#, #""2""#]))
      case "price of a tier": tiers[random.pick(["1", "2"])] = "\(random.number(1...9)).49"
      case "text": set("localizations", text())
      case "image":
        set(
          "image",
          random.pick([nil, #""images/a.svg""#, #""missing.svg""#, #""https://cdn.example/a.png""#])
        )
      case "images":
        set(
          "images",
          random.pick([
            nil, #"[{"src":"images/a.svg","alt":{"en-US":"\#(random.number(1...9))"}},{"src":"b.svg"}]"#,
          ])
        )
      case "add": products.insert(newProduct(), at: index)
      case "remove": if products.count > 4 { products.remove(at: index) }
      case "rename": set("productIdentifier", "\"new\(random.number(10...99)).\(number)\"")
      case "category": set("category", random.pick([nil, #""a""#, #""b""#, #""c""#, #""d""#]))
      case "name of a category": categories[random.pick(["a", "b", "c"])] = "Group \(random.number(1...99))"
      case "group":
        let fields = subscription()
        products[index].merge(fields) { $1 }
      case "name of a group": groups[random.pick(["g", "h"])] = "Plans \(random.number(1...99))"
      case "order": set("sortOrder", random.pick([nil, "\(random.number(1...99))"]))
      case "all orders":
        for other in products.indices { products[other]["sortOrder"] = "\(random.number(1...99))" }
      case "storefronts": set("clearedForSale", random.pick([nil, #"["USA"]"#, #"["JPN","DEU"]"#, "[]"]))
      case "offer":
        index = products.firstIndex { $0["subscriptionPeriod"] != nil } ?? index
        let fields = subscription()
        if products[index]["subscriptionPeriod"] == nil { products[index].merge(fields) { $1 } }
        let trial =
          #"{"kind":"introductory","paymentMode":"free-trial","period":"P\#(random.number(1...9))D"}"#
        let paid =
          #"{"kind":"introductory","paymentMode":"pay-up-front","period":"P1M","prices":{"USA":\#(price())}}"#
        set("offers", random.pick([nil, "[\(trial)]", "[\(paid)]"]))
      case "related":
        let others = products.filter { $0["productIdentifier"] != products[index]["productIdentifier"] }
        set(
          "related",
          random.pick([nil, "[]", "[\(random.pick(others)["productIdentifier"] ?? ""),\"unknown\"]"])
        )
      case "approval": set("approved", random.pick([nil, "false"]))
      case "tax": set("taxIncluded", random.pick([nil, "true", "false"]))
      case "content": set("content", random.pick([nil, #""250 mL""#, #""2 L""#]))
      case "price locale": set("priceLocales", random.pick([nil, #"{"USA":"es-US"}"#]))
      default: set("kind", random.pick([#""consumable""#, #""non-consumable""#, nil]))
      }
    }
  }

  /// A shop with options that make pages depend on other products.
  private struct Setting: Sendable {
    var url: String?
    var own = false
    var everywhere = false
    var isImported = false
    var productsPerPage = 4
  }

  private static let settings: [Setting] = [
    Setting(url: "https://shop.example/", everywhere: true),
    Setting(own: true, isImported: true),
    Setting(url: "https://shop.example/", own: true, isImported: true, productsPerPage: 48),
  ]

  private static let ownMessages = #"{"stock": "{count, plural, one {One} other {# of {shop}}}"}"#
  /// Small templates, which write most of the values, and take less time than the embedded ones.
  private static let templates: [String: String] = [:]

  private static func site(_ catalog: Catalog, _ setting: Setting, _ folder: TemporaryFolder) throws -> Site {
    let strings =
      setting.own
      ? StoreStrings.embedded.adding(try ShopStrings(["en-US.json": ownMessages])) : StoreStrings.embedded
    return try Site(
      catalog,
      ListingRequest(
        storefronts: ["USA", "JPN"].map { try Storefront($0) },
        languages: .list([UILanguage("en-US"), UILanguage("de")]),
        at: .date(CalendarDate(PageShop.date)),
        unitPriceRounding: .halfUp,
        strings: strings
      ),
      shop: Shop(
        name: "Shop",
        url: setting.url,
        showsTaxLabels: true,
        productsPerPage: setting.productsPerPage,
        shownOffers: [.introductory, .promotional],
        announcesIncreases: true
      ),
      templates: setting.own
        ? PageTemplates(["footer.mustache": "<footer>{{own.stock}} {{{taxNote}}}</footer>"], strings: strings)
        : .embedded,
      assets: SiteAssets(folder: "\(folder.path)/assets"),
      kernel: setting.isImported ? PageKernel(folder: "\(folder.path)/kernel") : nil,
      includesEverywherePages: setting.everywhere
    )
  }

  private static func newFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("<svg/>", to: "assets/images/a.svg")
    try folder.write("export {}", to: "kernel/pricetag.js")
    try folder.write("export {}", to: "kernel/phrases.js")
    try Data([0, 0x61, 0x73, 0x6D, 1, 0, 0, 0]).write(
      to: URL(filePath: "\(folder.path)/kernel/pricetag-full.wasm")
    )
    return folder
  }

  /// Expects that two sites have the same files, and lists with the same lines.
  private static func expectEqual(
    _ one: String,
    _ other: String,
    _ folder: TemporaryFolder,
    _ comment: Comment
  ) throws {
    let files = folder.files(in: one)
    try #require(files == folder.files(in: other), comment)
    for file in files where file != SiteFolder.list {
      let (path, otherPath) = ("\(folder.path)/\(one)/\(file)", "\(folder.path)/\(other)/\(file)")
      try #require(FileManager.default.contentsEqual(atPath: path, andPath: otherPath), "\(comment), \(file)")
    }
    func lines(_ site: String) throws -> [Substring] {
      try folder.read("\(site)/\(SiteFolder.list)").split(separator: "\n").dropLast().sorted()
    }
    #expect(try lines(one) == lines(other), comment)
  }

  /// The number of edits of a long test, with larger shops; `nil` for the usual one.
  private static let editCount = ProcessInfo.processInfo.environment["PRICETAG_SITE_EDITS"].flatMap(Int.init)

  /// After random edits, the site of changed pages is that of a complete run.
  @Test(arguments: settings.indices) func randomEdits(_ index: Int) throws {
    let setting = Self.settings[index]
    let folder = try Self.newFolder()
    var model = Model(seed: UInt64(index + 1), count: Self.editCount == nil ? 8 : 60)
    let catalog = try Catalog()
    var options = ImportOptions()
    for number in 0..<(Self.editCount ?? 7) {
      // A few edits at a time try all of them.
      let edits =
        Self.editCount == nil
        ? Array(Model.edits[(number * 4)...].prefix(4)) : [model.random.pick(Model.edits)]
      for edit in edits { model.edit(edit) }
      let current = setting.isImported ? catalog : try Catalog()
      // The history of the prices is shown, too.
      options.effective = try CalendarDate("2026-11-\(number < 9 ? "0\(number + 1)" : "10")")
      try current.importFiles(
        [CatalogFile(name: "shop.json", bytes: Array(model.json.utf8))],
        options: options,
        mode: .replace
      )
      let changed = try Self.site(current, setting, folder).write(
        to: "\(folder.path)/changed",
        onlyChanged: true
      )
      #expect(changed.completeReason == (number == 0 ? "no record of a complete site" : nil))
      if Self.editCount == nil, number % 3 != 0 { continue }
      let complete = try Self.site(current, setting, folder).write(to: "\(folder.path)/complete")
      try Self.expectEqual("changed", "complete", folder, "edit \(number): \(edits)")
      #expect(changed.files == complete.files && changed.pages == complete.pages)
      #expect(changed.rejected == complete.rejected && changed.missingPictures == complete.missingPictures)
      #expect(changed.unknownReductions == complete.unknownReductions)
      if Self.editCount != nil {
        #expect(
          changed.removed == complete.removed && changed.written == complete.written,
          "edit \(number): \(edits)"
        )
      }
    }
  }

  // MARK: Runs that end early

  private static func catalog(_ json: String) throws -> Catalog {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(name: "shop.json", bytes: Array(json.utf8))])
    return catalog
  }

  /// A site before and after an edit, in a folder.
  private struct Edited {
    let folder: TemporaryFolder
    let site: Site
    /// The files that changed, and those that were removed.
    let changed, removed: [String]

    init() throws {
      folder = try ChangedSiteTests.newFolder()
      var model = Model(seed: 7, count: 6)
      let setting = Setting(url: "https://shop.example/")
      let old = try ChangedSiteTests.site(ChangedSiteTests.catalog(model.json), setting, folder)
      _ = try old.write(to: "\(folder.path)/old")
      for edit in ["remove", "add", "price"] { model.edit(edit) }
      site = try ChangedSiteTests.site(ChangedSiteTests.catalog(model.json), setting, folder)
      _ = try site.write(to: "\(folder.path)/new")
      let folder = folder
      let files = folder.files(in: "new").filter { $0 != SiteFolder.list }
      changed = files.filter {
        !FileManager.default.contentsEqual(
          atPath: "\(folder.path)/old/\($0)",
          andPath: "\(folder.path)/new/\($0)"
        )
      }
      removed = folder.files(in: "old").filter { !files.contains($0) && $0 != SiteFolder.list }
    }

    /// Makes the folders of a run that is killed after it has placed some of the changed files, or removed some files.
    func kill(_ path: String, afterPlacing count: Int, removing removedCount: Int) throws {
      let manager = FileManager.default
      let (site, staging) = ("\(folder.path)/\(path)", "\(folder.path)/\(path).pricetag-new")
      for other in [site, staging] { try? manager.removeItem(atPath: other) }
      try manager.copyItem(atPath: "\(folder.path)/old", toPath: site)
      for (index, file) in changed.enumerated() {
        let target = "\(index < count ? site : staging)/\(file)"
        try manager.createDirectory(
          atPath: (target as NSString).deletingLastPathComponent,
          withIntermediateDirectories: true
        )
        try? manager.removeItem(atPath: target)
        try manager.copyItem(atPath: "\(folder.path)/new/\(file)", toPath: target)
      }
      for file in removed.prefix(removedCount) { try manager.removeItem(atPath: "\(site)/\(file)") }
      let list = SiteFileList("\(folder.path)/new")
      let record = try SiteFileList.Record(
        inputs: #require(list.record).inputs,
        files: #require(SiteFileList(site).record).list,
        pageCount: #require(list.record).pageCount,
        list: #require(list.record).list
      )
      let lines = try folder.read("new/\(SiteFolder.list)").split(separator: "\n").dropLast()
      try folder.write(
        lines.map { "\($0)\n" }.joined() + record.line,
        to: "\(path).pricetag-new/\(SiteFolder.list)"
      )
    }
  }

  /// The next run continues a run that was killed while it placed its files.
  @Test func continuesKilledRun() throws {
    let edited = try Edited()
    let folder = edited.folder
    #expect(edited.changed.count > 10 && edited.removed.count > 3)
    let (count, removedCount) = (edited.changed.count, edited.removed.count)
    let steps = [(0, 0), (1, 0), (count / 2, 0), (count, 0), (count, 1), (count, removedCount)]
    for (index, (placed, removed)) in steps.enumerated() {
      try edited.kill("site", afterPlacing: placed, removing: removed)
      let onlyChanged = index.isMultiple(of: 2)
      let summary = try edited.site.write(to: "\(folder.path)/site", onlyChanged: onlyChanged)
      #expect(summary.completeReason == nil)
      try Self.expectEqual("site", "new", folder, "\(placed) placed, \(removed) removed")
      #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/site.pricetag-new"))
    }
  }

  /// What a killed run left does not concern a site that another run has written meanwhile.
  @Test func doesNotContinueOnAnotherSite() throws {
    let edited = try Edited()
    let folder = edited.folder
    try edited.kill("site", afterPlacing: 0, removing: 0)
    let manager = FileManager.default
    try manager.removeItem(atPath: "\(folder.path)/site")
    _ = try edited.site.write(to: "\(folder.path)/other")
    try manager.moveItem(atPath: "\(folder.path)/other", toPath: "\(folder.path)/site")
    _ = try edited.site.write(to: "\(folder.path)/site", onlyChanged: true)
    try Self.expectEqual("site", "new", folder, "another site")
  }

  /// If a file cannot be placed, the next run writes the complete site.
  @Test func failedRunIsNotTrusted() throws {
    let edited = try Edited()
    let (folder, manager) = (edited.folder, FileManager.default)
    try edited.kill("site", afterPlacing: 0, removing: 0)
    try manager.removeItem(atPath: "\(folder.path)/site.pricetag-new")
    // The folder of a page that is new is a file.
    let page = try #require(
      edited.changed.first {
        $0.contains("products/") && !manager.fileExists(atPath: "\(folder.path)/site/\($0)")
      }
    )
    let blocked = "site/\((page as NSString).deletingLastPathComponent)"
    try folder.write("mine", to: blocked)
    try expectError(.unwritableFolder, "some of its files have changed") {
      try edited.site.write(to: "\(folder.path)/site", onlyChanged: true)
    }
    try manager.removeItem(atPath: "\(folder.path)/\(blocked)")
    let summary = try edited.site.write(to: "\(folder.path)/site", onlyChanged: true)
    #expect(summary.completeReason == "no record of a complete site")
    try Self.expectEqual("site", "new", folder, "after a failure")
  }

  // MARK: Complete runs

  /// Changes of a list, after which it is not trusted.
  private static let damages: [(name: String, change: @Sendable (String) -> String)] = [
    ("no last line", { String($0[..<($0.range(of: "/ ")?.lowerBound ?? $0.endIndex)]) }),
    ("another file", { $0.replacing("404.html", with: "404.htm") }),
    ("another key", { $0.replacing("\n/", with: "\n/x", maxReplacements: 1) }),
    ("a missing line", { $0.replacing("404.html\n", with: "") }),
    ("the last line of another version", { $0.replacing(/\/ .*\n$/, with: "/ 0 0 1\n") }),
  ]

  @Test(arguments: damages.map(\.name)) func damagedListIsNotTrusted(_ name: String) throws {
    let folder = try Self.newFolder()
    let site = try Self.site(Self.catalog(Model(seed: 3, count: 4).json), Setting(), folder)
    _ = try site.write(to: "\(folder.path)/site")
    let damage = try #require(Self.damages.first { $0.name == name }).change
    let list = try folder.read("site/\(SiteFolder.list)")
    #expect(damage(list) != list)
    try folder.write(damage(list), to: "site/\(SiteFolder.list)")
    // A file that the list lacks stops a complete run.
    let result = Result { try site.write(to: "\(folder.path)/site", onlyChanged: true) }
    guard case .success(let summary) = result else {
      return #expect(name == "another file" || name == "a missing line")
    }
    #expect(summary.completeReason == "no record of a complete site" && summary.unchanged == summary.files)
  }

  /// A kept site, and one whose other inputs have changed, name no reason, and the reason.
  @Test func namesReason() throws {
    let folder = try Self.newFolder()
    let catalog = try Self.catalog(Model(seed: 3, count: 4).json)
    func write(_ setting: Setting, _ text: String) throws -> SiteSummary {
      try folder.write(text, to: "assets/a.txt")
      return try Self.site(catalog, setting, folder).write(to: "\(folder.path)/site", onlyChanged: true)
    }
    #expect(try write(Setting(), "a").completeReason == "no record of a complete site")
    let kept = try write(Setting(), "a")
    #expect(kept.completeReason == nil && kept.written == 0 && kept.pages > 10)
    #expect(try write(Setting(), "b").completeReason == "assets changed")
    #expect(try write(Setting(own: true), "b").completeReason == "strings, templates changed")
    #expect(
      try write(Setting(url: "https://shop.example/"), "b").completeReason
        == "options, strings, templates changed"
    )
  }

  /// Changes of others remain until a complete run.
  @Test func trustsFiles() throws {
    let folder = try Self.newFolder()
    var model = Model(seed: 3, count: 4)
    model.products[0]["localizations"] = #"{"en-US":{"name":"First"}}"#
    _ = try Self.site(Self.catalog(model.json), Setting(), folder).write(to: "\(folder.path)/site")
    try folder.write("mine", to: "site/images/a.svg")
    try folder.write("mine", to: "site/mine.txt")
    model.products[0]["localizations"] = #"{"en-US":{"name":"Other"}}"#
    let site = try Self.site(Self.catalog(model.json), Setting(), folder)
    #expect(try site.write(to: "\(folder.path)/site", onlyChanged: true).written > 0)
    #expect(try folder.read("site/images/a.svg") == "mine")
    #expect(try folder.read("site/mine.txt") == "mine")
    try expectError(.foreignFolder) { try site.write(to: "\(folder.path)/site") }
    try FileManager.default.removeItem(atPath: "\(folder.path)/site/mine.txt")
    _ = try site.write(to: "\(folder.path)/site")
    _ = try site.write(to: "\(folder.path)/new")
    try Self.expectEqual("site", "new", folder, "after a complete run")
  }
}
