import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Synchronization
import Testing

@testable import PriceTagPages

/// Tests of writing a site again from the same inputs: it is kept only if its files are those of the last run.
@Suite struct UnchangedSiteTests {
  /// - Parameter url: The address of the site, with which it has a sitemap.
  private static func site(_ json: String = PageShop.json, url: String? = nil, assets: SiteAssets = .none)
    throws
    -> Site
  {
    let shop = try PageShop(json)
    return try Site(
      shop.catalog,
      shop.request(["USA", "JPN"], languages: ["en-US", "ar"]),
      shop: Shop(name: "Shop", url: url),
      assets: assets,
      jobs: 2
    )
  }

  private static let page = "store/usa/en-us/index.html"

  /// The same inputs, also in a new catalog, leave the folder itself unchanged.
  @Test func keepsSite() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/site"
    let url = "https://shop.example/"
    let first = try Self.site(url: url).write(to: path)
    let number = try folder.number(of: "site")
    let rejects = Mutex(0)
    let second = try Self.site(url: url).write(to: path, onReject: { _, _ in rejects.withLock { $0 += 1 } })
    #expect(try folder.number(of: "site") == number)
    #expect(second.files == first.files && second.pages == first.pages && second.written == 0)
    #expect(second.removed == 0 && second.missingPictures == first.missingPictures)
    // The report is that of a run that writes the site.
    #expect(second.rejected == first.rejected && rejects.withLock { $0 } == first.rejected)
    #expect(first.rejected > 0 && !first.missingPictures.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["site"])
  }

  private static func setTime(_ path: String, _ seconds: Int) throws {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  /// Changes of a site by others than the command.
  static let changes: [(name: String, change: @Sendable (TemporaryFolder) throws -> Void)] = [
    ("a changed page", { try $0.write("changed", to: "site/\(page)") }),
    (
      "a page changed in place, of the same size and with its time restored",
      { folder in
        let path = "\(folder.path)/site/\(page)"
        var status = stat()
        try #require(stat(path, &status) == 0)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data("<!DOCTYPE XXXX>".utf8))
        try handle.close()
        let times = [status.st_atim, status.st_mtim]
        try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
      }
    ),
    ("a removed page", { try FileManager.default.removeItem(atPath: "\($0.path)/site/\(page)") }),
    (
      "a page that is a symbolic link",
      { folder in
        let path = "\(folder.path)/site/\(page)"
        try FileManager.default.moveItem(atPath: path, toPath: "\(folder.path)/page.html")
        try folder.link("site/\(page)", to: "\(folder.path)/page.html")
      }
    ),
    ("a page from the future", { try setTime("\($0.path)/site/\(page)", 4_000_000_000) }),
    ("a page from the past", { try setTime("\($0.path)/site/\(page)", 1) }),
    (
      "a list without its last line",
      { folder in
        let list = try folder.read("site/.pricetag-site").split(separator: "\n")
        try folder.write(list.dropLast().map { "\($0)\n" }.joined(), to: "site/.pricetag-site")
      }
    ),
    (
      "a list with another last line",
      { folder in
        let list = try folder.read("site/.pricetag-site")
        try folder.write(list + "/ 0 0 1\n", to: "site/.pricetag-site")
      }
    ),
    (
      "a list with another file",
      { folder in
        let list = try folder.read("site/.pricetag-site")
        try folder.write(list.replacing("/ ", with: "other.html\n/ "), to: "site/.pricetag-site")
      }
    ),
    (
      "a copy of the site",
      { folder in
        try FileManager.default.moveItem(atPath: "\(folder.path)/site", toPath: "\(folder.path)/old")
        try FileManager.default.copyItem(atPath: "\(folder.path)/old", toPath: "\(folder.path)/site")
        try FileManager.default.removeItem(atPath: "\(folder.path)/old")
      }
    ),
  ]

  /// A site that is not exactly as the last run left it is written again, and is complete then.
  @Test(arguments: changes.map(\.name)) func writesChangedSite(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/site"
    _ = try Self.site().write(to: path)
    let before = try folder.read("site/\(Self.page)")
    let files = folder.files(in: "site")
    let change = try #require(Self.changes.first { $0.name == name }).change
    try change(folder)
    let number = try folder.number(of: "site")
    _ = try Self.site().write(to: path)
    #expect(try folder.number(of: "site") != number)
    #expect(try folder.read("site/\(Self.page)") == before)
    #expect(folder.files(in: "site") == files)
    // Now it is complete.
    #expect(try Self.site().write(to: path).written == 0)
  }

  /// A list that names files outside the site does not remove them.
  @Test func forgedListRemovesNothingElse() throws {
    let folder = try TemporaryFolder()
    _ = try Self.site().write(to: "\(folder.path)/site")
    try folder.write("mine", to: "letter.txt")
    try folder.write("mine", to: "home/letter.txt")
    try folder.link("site/link", to: "\(folder.path)/home")
    let list = try folder.read("site/.pricetag-site")
    let forged = list.replacing("/ ", with: "../letter.txt\nlink\nlink/letter.txt\n/ ")
    try folder.write(forged, to: "site/.pricetag-site")
    _ = try Self.site().write(to: "\(folder.path)/site")
    #expect(try folder.read("letter.txt") == "mine" && folder.read("home/letter.txt") == "mine")
    #expect(!folder.files(in: "site").contains("link"))
  }

  /// A staging folder whose list is a link leaves the linked file as it is.
  @Test(arguments: [true, false]) func stagingRemovesLinks(isSymbolic: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "letter.txt")
    #expect(mkdir("\(folder.path)/site.pricetag-new", 0o777) == 0)
    let (letter, list) = ("\(folder.path)/letter.txt", "\(folder.path)/site.pricetag-new/.pricetag-site")
    #expect((isSymbolic ? symlink(letter, list) : link(letter, list)) == 0)
    #expect(try Self.site().write(to: "\(folder.path)/site").written > 0)
    #expect(try folder.read("letter.txt") == "mine")
  }

  /// A page that is changed while a run ends is not kept by the next run.
  @Test func doesNotKeepPageChangedDuringRun() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/site"
    let page = "\(path)/\(Self.page)"
    let change = Task.detached {
      for _ in 0..<600_000 where access(page, F_OK) != 0 { try await Task.sleep(for: .milliseconds(1)) }
      try Data("false".utf8).write(to: URL(filePath: page))
    }
    _ = try Self.site().write(to: path)
    try await change.value
    #expect(try folder.read("site/\(Self.page)") == "false")
    _ = try Self.site().write(to: path)
    #expect(try folder.read("site/\(Self.page)").contains("$0.99"))
  }

  /// A file that is not the site's is reported, although no input has changed.
  @Test func reportsForeignFiles() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/site"
    _ = try Self.site().write(to: path)
    try folder.write("mine", to: "site/mine.txt")
    #expect(throws: PagesError.self) { try Self.site().write(to: path) }
    #expect(try folder.read("site/mine.txt") == "mine")
  }

  /// A truncated list makes the other files foreign, so that none of them is lost.
  @Test func reportsTruncatedList() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/site"
    _ = try Self.site().write(to: path)
    let list = try folder.read("site/.pricetag-site")
    try folder.write(String(list.prefix(list.count / 2)), to: "site/.pricetag-site")
    let files = folder.files(in: "site")
    #expect(throws: PagesError.self) { try Self.site().write(to: path) }
    #expect(folder.files(in: "site") == files)
  }

  /// A run that ends before it has replaced the old site leaves that one, and the next run writes its own.
  @Test func interruptedRunIsWrittenAgain() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/site"
    _ = try Self.site().write(to: path)
    let before = try folder.read("site/\(Self.page)")
    do {
      let interrupted = try SiteFolder(path)
      #expect(try interrupted.add(Self.page, Array(before.utf8)) == .unchanged)
      #expect(try interrupted.add("store/usa/en-us/other.html", Array("new".utf8)) == .written)
      #expect(!interrupted.abandon())
    }
    #expect(try folder.read("site/\(Self.page)") == before)
    let cheaper = PageShop.json.replacing("0.99", with: "0.89")
    #expect(try Self.site(cheaper).write(to: path).written > 0)
    #expect(try folder.read("site/\(Self.page)").contains("$0.89"))
  }

  /// A picture of the same size and time is another picture.
  @Test func comparesContentsOfAssets() throws {
    let folder = try TemporaryFolder()
    try folder.write("one", to: "files/a.txt")
    let path = "\(folder.path)/site"
    func write() throws -> SiteSummary {
      try Self.setTime("\(folder.path)/files/a.txt", 1_000_000_000)
      return try Self.site(assets: SiteAssets(folder: "\(folder.path)/files")).write(to: path)
    }
    _ = try write()
    #expect(try write().written == 0)
    try folder.write("two", to: "files/a.txt")
    #expect(try write().written == 1)
    #expect(try folder.read("site/a.txt") == "two")
  }
}
