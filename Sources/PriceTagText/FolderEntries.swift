/// Returns the names of a folder's entries, except `.` and `..`, in no particular order; `nil` if it cannot be read.
///
///     entryNames(ofFolder: "/proc/self/fd")   // ["0", "1", "2", …]
package func entryNames(ofFolder path: String) -> [String]? {
  guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name), let folder = opendir(path) else {
    return nil
  }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // The memory of an entry may end after its name, so it is read where it is: a copy of `dirent` has all 256 bytes.
    let name = UnsafeRawPointer(entry) + nameOffset
    names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
  }
  return names.filter { $0 != "." && $0 != ".." }
}
