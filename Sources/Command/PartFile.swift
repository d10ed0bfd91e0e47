import PriceTagSystem
import Synchronization

/// The temporary files `NAME.PID.part` that a process writes beside their destinations.
///
/// A killed process leaves such files. Process identifiers are reused, and another host may write to the same disk, so the
/// identifier does not show whether the file is still being written. Therefore each process holds a shared lock on the
/// folder while it has such files in it. A process that gets an exclusive lock removes the old files of its destinations.
enum PartFile {
  /// The folders that this process has locked, until it ends.
  private static let folders = Mutex<Set<String>>([])

  /// Returns the path of the temporary file of a destination.
  static func path(of destination: String) -> String { "\(destination).\(getpid()).part" }

  /// Removes the files that killed processes left beside some destinations, and locks the folders of the destinations.
  static func claim(_ destinations: [String]) {
    for (folder, paths) in Dictionary(grouping: destinations, by: OutputFile.folder) {
      folders.withLock { folders in
        guard folders.insert(folder).inserted else { return }
        claim(folder, names: Set(paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }))
      }
    }
  }

  /// Removes no file if the folder cannot be locked: it cannot be read, or the disk does not support locks.
  private static func claim(_ folder: String, names: Set<String>) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { removeAbandoned(of: names, in: folder) }
    // Another process may hold the exclusive lock for a moment, while it removes its files.
    var tries = 20
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR, tries > 0 {
      tries -= 1
      usleep(5000)
    }
  }

  private static func removeAbandoned(of names: Set<String>, in folder: String) {
    for name in entryNames(ofFolder: folder) ?? [] {
      if let destination = destination(ofPart: name), names.contains(destination) {
        unlink("\(folder)/\(name)")
      }
    }
  }

  /// Returns the name of the destination of a temporary file, or of a file that SQLite wrote beside it; `nil` for other
  /// files.
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
