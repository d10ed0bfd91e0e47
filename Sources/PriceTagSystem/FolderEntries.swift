/// An entry of a folder.
package struct FolderEntry {
  package let name: String
  /// Whether the entry is a folder, not a link to one; `nil` if the file system does not tell while listing.
  package let isFolder: Bool?
}

/// Returns the names of a folder's entries, except `.` and `..`, in no particular order; `nil` if it cannot be read.
///
///     entryNames(ofFolder: "/proc/self/fd")   // ["0", "1", "2", …]
package func entryNames(ofFolder path: String) -> [String]? { folderEntries(of: path)?.map(\.name) }

/// Returns a folder's entries, except `.` and `..`, in no particular order; `nil` if it cannot be read.
package func folderEntries(of path: String) -> [FolderEntry]? {
  guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name),
    let typeOffset = MemoryLayout<dirent>.offset(of: \.d_type), let folder = opendir(path)
  else { return nil }
  defer { closedir(folder) }
  var entries: [FolderEntry] = []
  while let entry = readdir(folder) {
    // The memory of an entry may end after its name, so it is read where it is: a copy of `dirent` has all 256 bytes.
    let memory = UnsafeRawPointer(entry)
    let name = String(cString: (memory + nameOffset).assumingMemoryBound(to: CChar.self))
    if name == "." || name == ".." { continue }
    let type = Int(memory.load(fromByteOffset: typeOffset, as: UInt8.self))
    entries.append(FolderEntry(name: name, isFolder: type == Int(DT_UNKNOWN) ? nil : type == Int(DT_DIR)))
  }
  return entries
}
