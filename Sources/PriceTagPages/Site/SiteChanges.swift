import PriceTag
import PriceTagSystem

/// The changes of a site whose other files remain where they are: a staging folder with the new and changed files, and with the
/// list of the new site.
///
/// The last line of that list is written after everything else, and names the list of the old site. If a run is killed later,
/// the next one continues its work.
struct SiteChanges {
  let site: String
  let staging: String

  /// Places the changes of a run that was killed.
  ///
  /// - Returns: The error number of a failure; 0 for none.
  func resume() -> Int32 {
    let new = SiteFileList(staging)
    guard let record = new.record, record.files == SiteFileList(site).record?.list else { return 0 }
    return place(new)
  }

  /// Moves the changed files into the site, removes those that the new site no longer has, and replaces the list.
  ///
  /// - Returns: The error number of a failure; 0 for none.
  func place(_ new: SiteFileList) -> Int32 {
    var failure: Int32 = 0
    FolderListing.forEachFile(of: staging) { file, status in
      guard failure == 0, file != SiteFolder.list, status.st_mode & S_IFMT == S_IFREG else { return }
      let end = file.utf8.lastIndex(of: UInt8(ascii: "/"))
      if let end { SiteFolder.createFolder(file[..<end], in: site) }
      let isInside = isInside(end.map { String(file[..<$0]) })
      if !isInside || rename("\(staging)/\(file)", "\(site)/\(file)") != 0 {
        failure = isInside ? errno : ENOTDIR
      }
    }
    SiteFileList.forEachLine(of: site) { file in
      if failure == 0, SiteFileList.isFile(file), !new.contains(file) { failure = remove(file) }
    }
    let (list, newList) = ("\(site)/\(SiteFolder.list)", "\(staging)/\(SiteFolder.list)")
    // A staging folder without a list has no other files.
    FolderRemoval.removeFiles(of: staging) { _ in false }
    if failure == 0, rename(newList, list) == 0 { return 0 }
    if failure == 0 { failure = errno }
    // The site has files of both lists, and its list no longer has a valid last line.
    _ = FileBytes.append((try? RegularFile.bytes(of: newList, limit: .max)) ?? [], to: list)
    return failure
  }

  /// Removes a file and the folders that are empty then, also if a run that was killed has removed some of them.
  private func remove(_ file: String) -> Int32 {
    var (path, isFile) = (file[...], true)
    while true {
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] }
      if isInside(folder.map { String($0) }) {
        let isGone = (isFile ? unlink("\(site)/\(path)") : rmdir("\(site)/\(path)")) == 0 || errno == ENOENT
        if !isGone { return isFile ? errno : 0 }
      }
      guard let folder else { return 0 }
      (path, isFile) = (folder, false)
    }
  }

  /// Returns whether a file or folder exists, and is in the site also if links are followed.
  private func isInside(_ file: String?) -> Bool {
    let path = file.map { "\(site)/\($0)" } ?? site
    return FolderListing.resolved(path)?.utf8.elementsEqual(path.utf8) == true
  }
}
