import PriceTag
import PriceTagSystem
import PriceTagText
import Synchronization

/// The folder of a site, which is replaced atomically.
///
/// The new site is staged next to the old one. An unchanged page is hard-linked from the old site, any other is written.
/// At the end the two folders are exchanged. If the process is killed, the old site remains, and the next run removes the
/// staging folder.
///
/// `.pricetag-site` lists the files of a site. A folder that contains other files is not replaced. Its last line states the
/// inputs of the site and the state of its files. It is written after everything else, so that a run that is killed leaves
/// no site that looks complete.
///
/// A run that trusts this list stages the changed files only, and moves them into the folder at the end.
///
/// It is `Sendable` because a lock protects everything that changes.
final class SiteFolder: Sendable {
  /// What happened to a file.
  enum Outcome {
    case written, unchanged
  }

  /// The name of the file that lists the site's files.
  static let list = ".pricetag-site"
  static let firstLine =
    "# The files of this site, written by pricetag pages. Another file in this folder stops it."

  private let path: String
  private let staging: String
  /// The descriptors of the locked folders: the staging folder, and the old site if there is one.
  private let lockedFolders: [Int32]
  private let hasOld: Bool
  /// Whether the files of the old site are those of its list, and remain where they are.
  let isTrusted: Bool
  /// The files of the old site: those that its list has, and those that exist.
  private let old: SiteFileList
  private let oldCensus: SiteCensus
  private let state = Mutex(State())

  private struct State {
    /// The lines that are not in the new site's list yet.
    var unlisted: [UInt8] = []
    /// The digest of all lines.
    var digest = ContentDigest()
    /// The files of the new site, if the list of the old one is trusted.
    var files = SiteFileList()
    var fileCount = 0
    /// The number of files that the old site has, too.
    var keptCount = 0
    /// Whether the new site has replaced the old one.
    var isFinished = false
    /// Whether the new site must not replace the old one anymore.
    var isAbandoned = false

    mutating func list(_ line: String) {
      unlisted += line.utf8
      unlisted.append(UInt8(ascii: "\n"))
      digest.add(line)
    }
  }

  /// Prepares the staging folder of a new site.
  ///
  /// - Parameters:
  ///   - path: The folder of the site.
  ///   - isTrusted: Returns whether the list of the old site, which has this last line, is trusted.
  /// - Throws: `.foreignFolder` if the folder contains files that do not belong to a site; `.busy`; `.unwritableFolder`.
  init(_ path: String, isTrusted: (SiteFileList.Record?) -> Bool = { _ in false }) throws(PagesError) {
    var trimmed = path
    while trimmed.utf8.count > 1, trimmed.utf8.last == UInt8(ascii: "/") { trimmed.removeLast() }
    // The target of a symbolic link is replaced, not the link.
    trimmed = FolderListing.resolved(trimmed) ?? trimmed
    let name = trimmed.split(separator: "/").last.map(String.init) ?? ""
    guard !name.isEmpty, name != ".", name != ".." else {
      throw PagesError(
        .foreignFolder,
        "\(quoted(path)) cannot be replaced",
        fix: "use a folder for the site"
      )
    }
    let staging = trimmed + ".pricetag-new"
    FolderExchange.restore(trimmed)
    let new = try Self.createStaging(staging, for: path, in: trimmed)
    var locked = [new]
    do throws(PagesError) {
      var status = stat()
      hasOld = lstat(trimmed, &status) == 0
      guard !hasOld || status.st_mode & S_IFMT == S_IFDIR else {
        throw PagesError(
          .foreignFolder,
          status.st_mode & S_IFMT == S_IFLNK
            ? "\(quoted(path)) is a broken link" : "\(quoted(path)) is not a folder",
          fix: "use a folder"
        )
      }
      if hasOld { locked.append(try Self.lock(trimmed, path, staging: new, status)) }
      old = hasOld ? SiteFileList(trimmed) : SiteFileList()
      self.isTrusted = isTrusted(old.record)
      oldCensus = hasOld && !self.isTrusted ? try Self.checkFiles(of: trimmed, old) : SiteCensus()
    } catch {
      Self.remove(staging)
      for descriptor in locked { close(descriptor) }
      throw error
    }
    (self.path, self.staging, lockedFolders) = (trimmed, staging, locked)
    state.withLock {
      $0.unlisted = Array("\(Self.firstLine)\n".utf8)
      if self.isTrusted { $0.files = SiteFileList(minimumCount: old.count) }
    }
  }

  deinit {
    abandon()
    for descriptor in lockedFolders { close(descriptor) }
  }

  /// Returns the census of the files of an existing site.
  ///
  /// - Throws: `.foreignFolder` if the folder contains files that are not listed.
  private static func checkFiles(of path: String, _ listed: SiteFileList) throws(PagesError) -> SiteCensus {
    var census = SiteCensus()
    var (first, others): (String?, Int) = (nil, 0)
    FolderListing.forEachFile(of: path) { file, status in
      if file == list { return }
      census.add(file, status)
      if listed.contains(file) { return }
      guard let other = first else {
        first = file
        return
      }
      others += 1
      // Files of the top folder are what people see first.
      first = (file.contains("/") ? 1 : 0, file) < (other.contains("/") ? 1 : 0, other) ? file : other
    }
    guard let first else { return census }
    throw PagesError(
      .foreignFolder,
      "\(quoted(path)) contains \(quoted(first))\(others > 0 ? " and \(counted(others, "other file"))" : ""), which \(others > 0 ? "do" : "does") not belong to a site",
      fix: listed.count == 0
        ? "use a new or empty folder"
        : "move it to the folder of the shop's own files (--assets), or use a new folder"
    )
  }

  /// Returns the numbers of files and pages of the old site if it was written from these inputs, and no file was added,
  /// removed or changed since, which is not verified of a trusted list; `nil` if it must be written again.
  func unchangedSite(_ inputs: String) -> (fileCount: Int, pageCount: Int)? {
    guard let record = old.record, record.inputs == inputs,
      isTrusted
        || record.files == oldCensus.text && oldCensus.hasOnlyFiles && oldCensus.fileCount == old.count
    else { return nil }
    return (old.count, record.pageCount)
  }

  // MARK: Locking

  private static func unwritable(_ path: String, _ number: Int32) -> PagesError {
    PagesError(
      .unwritableFolder,
      "cannot create \(quoted(path)): \(number == ENOENT ? "the parent folder does not exist" : String(cString: strerror(number)))",
      fix: number == ENOENT
        ? "create the parent folder"
        : "use a folder whose parent is writable, because the new site is staged next to it"
    )
  }

  private static func busy(_ path: String) -> PagesError {
    PagesError(.busy, "another process is writing \(quoted(path))", fix: "wait until it has finished")
  }

  /// Creates and locks the staging folder.
  private static func createStaging(
    _ staging: String,
    for path: String,
    in folder: String
  ) throws(PagesError) -> Int32 {
    // Another run that ends at this moment may remove the folder, so creating it is tried again.
    for _ in 0..<10 {
      guard mkdir(staging, 0o777) == 0 || errno == EEXIST else { throw unwritable(path, errno) }
      let descriptor = open(staging, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if descriptor < 0 {
        if errno == ENOENT { continue }
        throw foreignStaging(staging)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw busy(path)
      }
      var (locked, current) = (stat(), stat())
      guard fstat(descriptor, &locked) == 0, lstat(staging, &current) == 0, locked.st_ino == current.st_ino
      else {
        close(descriptor)
        continue
      }
      do throws(PagesError) {
        let failure = SiteChanges(site: folder, staging: staging).resume()
        if failure != 0 { throw unwritable(path, failure) }
        // A killed run may have left files.
        let files = FolderListing.files(of: staging)
        guard files.isEmpty || files.contains(list) else { throw foreignStaging(staging) }
        guard FolderRemoval.removeFiles(of: staging, where: { $0 != list }),
          // The list may be a link to a file elsewhere, which must not be changed.
          unlink("\(staging)/\(list)") == 0 || errno == ENOENT,
          FileBytes.create("\(staging)/\(list)", [])
        else { throw unwritable(path, errno) }
      } catch {
        close(descriptor)
        throw error
      }
      return descriptor
    }
    throw busy(path)
  }

  private static func foreignStaging(_ staging: String) -> PagesError {
    PagesError(
      .foreignFolder,
      "the staging folder \(quoted(staging)) exists and does not belong to a site",
      fix: "move or remove it"
    )
  }

  /// Locks the old folder, also for the time after the exchange, and copies its owner and permissions to the new one.
  private static func lock(
    _ folder: String,
    _ path: String,
    staging new: Int32,
    _ status: stat
  ) throws(PagesError) -> Int32 {
    var other = stat()
    guard fstat(new, &other) == 0, other.st_dev == status.st_dev else {
      throw PagesError(
        .unwritableFolder,
        "\(quoted(path)) is a mount point and cannot be replaced",
        fix: "use a folder inside it"
      )
    }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { throw unwritable(path, errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw busy(path)
    }
    // Only a privileged process can change the owner; a failure is not an error.
    _ = fchown(new, status.st_uid, status.st_gid)
    fchmod(new, status.st_mode & 0o7777)
    return descriptor
  }

  // MARK: Files

  /// Adds the key of pages to the list of the new site.
  ///
  /// - Returns: Whether they are the same in the old site, whose list is trusted.
  func addKey(_ key: ContentDigest) -> Bool {
    let line = "/\(key.text)"
    state.withLock { $0.list(line) }
    return isTrusted && old.contains(line)
  }

  /// Adds a file of the old site, whose list is trusted, to the new one.
  ///
  /// - Returns: Whether the old site has the file.
  /// - Throws: The errors of `claim`.
  func keep(_ file: String) throws(PagesError) -> Bool { old.contains(file) ? try claim(file) : false }

  /// Adds a file with these bytes to the new site.
  ///
  /// - Throws: `.unwritableFolder`; `.invalidShop` for two files with the same path.
  func add(_ file: String, _ bytes: [UInt8]) throws(PagesError) -> Outcome {
    if try claim(file), FileBytes.isFile("\(path)/\(file)", bytes), linkOld(file) { return .unchanged }
    createFolder(of: file)
    guard FileBytes.create("\(staging)/\(file)", bytes) else { throw unwritable(file, errno) }
    return .written
  }

  /// Adds a copy of a file to the new site.
  ///
  /// - Throws: `.unreadableFile`; `.unwritableFolder`; `.invalidShop` for two files with the same path.
  func add(_ file: String, copyOf source: String) throws(PagesError) -> Outcome {
    // The contents of these files are inputs, which have not changed if the list is trusted.
    if try claim(file), isTrusted || FileBytes.areSame(source, "\(path)/\(file)"), linkOld(file) {
      return .unchanged
    }
    createFolder(of: file)
    guard FileBytes.copy(source, to: "\(staging)/\(file)") else {
      let number = errno
      if access(source, R_OK) == 0, number != EINVAL { throw unwritable(file, number) }
      throw PagesError(
        .unreadableFile,
        "cannot read the file: \(String(cString: strerror(number)))",
        fix: "replace it with a readable regular file, or remove it from the folder",
        place: printable(source)
      )
    }
    return .written
  }

  /// Adds a file that was staged in parts.
  ///
  /// - Throws: `.unwritableFolder`; `.invalidShop` for two files with the same path.
  func add(_ file: String, moving part: String) throws(PagesError) -> Outcome {
    let source = "\(staging)/\(part)"
    if try claim(file), FileBytes.areSame(source, "\(path)/\(file)"), linkOld(file) {
      unlink(source)
      return .unchanged
    }
    // A link fails if there is such a file already.
    guard link(source, "\(staging)/\(file)") == 0 else { throw unwritable(file, errno) }
    unlink(source)
    return .written
  }

  /// Appends text to a part of a file in the staging folder.
  func append(_ text: String, to part: String) throws(PagesError) {
    guard FileBytes.append(Array(text.utf8), to: "\(staging)/\(part)") else { throw unwritable(part, errno) }
  }

  /// Links a file of the old site into the new one, unless it remains where it is.
  private func linkOld(_ file: String) -> Bool {
    if isTrusted { return true }
    createFolder(of: file)
    return link("\(path)/\(file)", "\(staging)/\(file)") == 0
  }

  /// The size above which the list of files is written.
  private static let maximumUnlistedByteCount = 1 << 16

  /// Adds a file to the list of the site's files.
  ///
  /// Two files with the same path are found when the second one is created, or here if the first one was kept.
  ///
  /// - Returns: Whether the old site has the file.
  private func claim(_ file: String) throws(PagesError) -> Bool {
    let isKept = old.contains(file)
    let errorNumber = state.withLock { state in
      if state.isAbandoned { return ECANCELED }
      if isTrusted, !state.files.insert(file) { return EEXIST }
      state.list(file)
      state.fileCount += 1
      if isKept { state.keptCount += 1 }
      if state.unlisted.count > Self.maximumUnlistedByteCount { writeList(&state) }
      return 0
    }
    if errorNumber != 0 { throw unwritable(file, errorNumber) }
    return isKept
  }

  private func createFolder(of file: String) {
    if let end = file.utf8.lastIndex(of: UInt8(ascii: "/")) { Self.createFolder(file[..<end], in: staging) }
  }

  /// Creates a folder and, if necessary, those that contain it. A failure is found when the file is created.
  static func createFolder(_ folder: Substring, in path: String) {
    guard mkdir("\(path)/\(folder)", 0o777) != 0, errno == ENOENT,
      let end = folder.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return }
    createFolder(folder[..<end], in: path)
    mkdir("\(path)/\(folder)", 0o777)
  }

  /// Appends the files to the list of the new site. Its last lines are checked at the end.
  private func writeList(_ state: inout State) {
    if FileBytes.append(state.unlisted, to: "\(staging)/\(Self.list)") { state.unlisted = [] }
  }

  private func unwritable(_ file: String, _ number: Int32) -> PagesError {
    if !file.isEmpty, [EEXIST, EISDIR, ENOTDIR].contains(number) {
      return .invalidShop(
        "\(quoted(file)) is both a file of the shop and a page or folder of the site",
        fix: "rename the shop's file"
      )
    }
    let isUnfinished = isTrusted && file.isEmpty
    return PagesError(
      .unwritableFolder,
      "cannot write \(quoted(file.isEmpty ? path : "\(path)/\(file)")): \(String(cString: strerror(number)))",
      fix: isUnfinished
        ? "correct it, and write the site again, because some of its files have changed"
        : [ENOSPC, EDQUOT].contains(number)
          ? "free disk space (the previous site is unchanged)"
          : "use another folder (the previous site is unchanged)"
    )
  }

  // MARK: Finishing

  /// Replaces the old site with the new one, or moves the changed files into it.
  ///
  /// - Parameters:
  ///   - inputs: The fingerprint of the inputs; `nil` if it is unknown.
  ///   - pageCount: The number of pages.
  /// - Returns: The number of files that the new site no longer has.
  /// - Throws: `.unwritableFolder`; `.foreignFolder` if other files were added to the old site in the meantime.
  func finish(inputs: String?, pageCount: Int) throws(PagesError) -> Int {
    let (isListed, new) = state.withLock { state in
      if !state.unlisted.isEmpty { writeList(&state) }
      return (state.unlisted.isEmpty, state)
    }
    guard isListed else { throw unwritable(Self.list, errno) }
    if hasOld, !isTrusted { _ = try Self.checkFiles(of: path, old) }
    let staged = inputs == nil || isTrusted ? SiteCensus() : Self.census(of: staging)
    func addRecord(_ files: String?, to folder: String) -> Bool {
      guard let inputs, let files else { return true }
      let list = new.digest.text
      let record = SiteFileList.Record(inputs: inputs, files: files, pageCount: pageCount, list: list)
      return FileBytes.append(Array(record.line.utf8), to: "\(folder)/\(Self.list)")
    }
    // Under the lock, so that `abandon()` runs either before or after the exchange.
    let errorNumber: Int32 = state.withLock { state in
      if state.isAbandoned { return ECANCELED }
      if isTrusted {
        guard addRecord(old.record?.list, to: staging) else { return errno }
        let failure = SiteChanges(site: path, staging: staging).place(new.files)
        if failure != 0 { return failure }
      } else {
        let isPlaced = hasOld ? FolderExchange.exchange(staging, path) : rename(staging, path) == 0
        if !isPlaced { return errno }
      }
      state.isFinished = true
      return 0
    }
    if errorNumber != 0 { throw unwritable("", errorNumber) }
    if isTrusted {
      rmdir(staging)
    } else {
      if hasOld { try removeOld() }
      // Without this line, the next run writes the site again.
      if staged.fileCount == new.fileCount { _ = addRecord(finalCensus(staged), to: path) }
    }
    return old.count - new.keptCount
  }

  /// Returns the census of the new site in its place; `nil` if a file is not one of the site's.
  ///
  /// - Parameter staged: The files before the exchange. A file that was changed since is not one of the site's.
  private func finalCensus(_ staged: SiteCensus) -> String? {
    // The times of files that the old site had, too, changed when it was removed.
    let census = hasOld ? Self.census(of: path) : staged
    return census.contents == staged.contents && census.hasOnlyFiles ? census.text : nil
  }

  /// Returns the census of a site's files, without the list itself.
  private static func census(of folder: String) -> SiteCensus {
    // Most file systems count time in steps of at most a few milliseconds. A file that is changed later must get another time.
    usleep(10_000)
    var census = SiteCensus()
    FolderListing.forEachFile(of: folder) { file, status in
      if file != list { census.add(file, status) }
    }
    return census
  }

  /// Removes the listed files of the old site, which now has the name of the staging folder.
  private func removeOld() throws(PagesError) {
    FolderRemoval.removeFiles(of: staging) { old.contains($0) }
    unlink("\(staging)/\(Self.list)")
    guard rmdir(staging) != 0, errno != ENOENT else { return }
    throw PagesError(
      .foreignFolder,
      "the new site was written, but other files were added to the old one in the meantime",
      fix: "move them out of \(quoted(staging)), and remove that folder"
    )
  }

  /// Removes the staging folder and prevents the new site from replacing the old one.
  ///
  /// - Returns: Whether the new site has already replaced the old one.
  @discardableResult
  func abandon() -> Bool {
    let isFinished = state.withLock { state in
      state.isAbandoned = true
      return state.isFinished
    }
    if isFinished { return true }
    // Removing fails while another thread writes its last file.
    for _ in 0..<20 where !Self.remove(staging) { usleep(5000) }
    return false
  }

  /// Removes a staging folder, its list of files last, so that a partly removed folder is still recognized.
  @discardableResult
  private static func remove(_ staging: String) -> Bool {
    guard FolderRemoval.removeFiles(of: staging, where: { $0 != list }) else { return false }
    unlink("\(staging)/\(list)")
    if rmdir(staging) == 0 || errno == ENOENT { return true }
    _ = FileBytes.create("\(staging)/\(list)", [])
    return false
  }
}
