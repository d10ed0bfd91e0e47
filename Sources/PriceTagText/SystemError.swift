/// Why the operating system refused a file, and what a user can do about it.
///
///     SystemError(ENOSPC).reason        // "No space left on device"
///     SystemError(ENOSPC).fix(.write)   // "make room on the disk"
package struct SystemError: Sendable {
  /// What was to be done with the file.
  package enum Access: Sendable {
    case read, write
  }

  package let number: Int32

  /// The error of a number; without one, that of the last call.
  package init(_ number: Int32 = errno) {
    self.number = number
  }

  package var reason: String { String(cString: strerror(number)) }

  /// What to do, as an imperative.
  package func fix(_ access: Access) -> String {
    switch number {
    case EMFILE: "raise the limit of open files (ulimit -n)"
    case ENFILE: "close files: the system has as many open as it allows"
    case ENOSPC, EDQUOT: "make room on the disk"
    case EFBIG: "raise the limit of a file's size (ulimit -f), or give a disk that holds larger files"
    case EROFS: "give a file on a disk that can be written"
    case EIO: "check the disk"
    case ENAMETOOLONG: "give a shorter path"
    case ELOOP: "correct the symbolic links of the path"
    case EISDIR: "give a file, not a folder"
    case ENOTDIR: "correct the path: a part of it is a file, not a folder"
    case ENOENT: access == .read ? "correct the path" : "create the folder first, or correct the path"
    default:
      access == .read ? "give a file that this process may read" : "give a file that this process may write"
    }
  }
}
