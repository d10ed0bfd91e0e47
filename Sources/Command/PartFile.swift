import PriceTagText
import Synchronization

/// The unfinished files that a process writes beside their destinations, as `NAME.PID.part`.
///
/// A process that is killed leaves them behind. Process numbers are used again, and another host may write to the same
/// disk, so a number says nothing about whether a file is still written. Instead each process holds a shared lock on
/// the folder as long as it has such files in it; one that gets the folder alone removes those of its destinations.
enum PartFile {
  /// The folders that this process holds, until it ends.
  private static let folders = Mutex<Set<String>>([])

  /// The unfinished file of a destination.
  static func path(of destination: String) -> String { "\(destination).\(OutputFile.processID).part" }

  /// Removes what killed processes left of some destinations, and holds their folders against the removals of others.
  static func claim(_ destinations: [String]) {
    for (folder, paths) in Dictionary(grouping: destinations, by: OutputFile.folder) {
      folders.withLock { folders in
        guard folders.insert(folder).inserted else { return }
        claim(folder, names: Set(paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }))
      }
    }
  }

  /// Where a lock cannot be had (a folder that may not be read, a disk without locks), nothing is removed.
  private static func claim(_ folder: String, names: Set<String>) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // A disk that knows no shared locks on folders may not keep this one from being given to two.
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { removeAbandoned(of: names, in: folder) }
    // Another process may be removing its own: that takes moments.
    var tries = 20
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR, tries > 0 {
      tries -= 1
      usleep(5000)
    }
  }

  private static func removeAbandoned(of names: Set<String>, in folder: String) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let destination = destination(ofPart: name), names.contains(destination) {
        unlink("\(folder)/\(name)")
      }
    }
  }

  /// What an unfinished file, or SQLite's file beside one, was to become; `nil` for another file's name.
  ///
  ///     PartFile.destination(ofPart: "shop.pricetag.4711.part-wal")   // "shop.pricetag"
  static func destination(ofPart name: String) -> String? {
    var rest = name[...]
    for ending in ["-wal", "-shm", "-journal"] where rest.hasSuffix(ending) {
      rest = rest.dropLast(ending.count)
      break
    }
    guard rest.hasSuffix(".part") else { return nil }
    rest = rest.dropLast(".part".count)
    guard let dot = rest.lastIndex(of: "."), dot > rest.startIndex else { return nil }
    let number = rest[rest.index(after: dot)...]
    guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return String(rest[..<dot])
  }
}
