/// An error of the operating system for a file, with its fix.
///
///     SystemError(ENOSPC).reason        // "No space left on device"
///     SystemError(ENOSPC).fix(.write)   // "make room on the disk"
package struct SystemError: Sendable {
  /// The kind of access that failed.
  package enum Access: Sendable {
    case read, write
  }

  package let number: Int32

  /// Creates an error from an error number. The default is the error of the last call.
  package init(_ number: Int32 = errno) {
    self.number = number
  }

  package var reason: String { String(cString: strerror(number)) }

  /// Returns the fix, as an imperative.
  package func fix(_ access: Access) -> String {
    switch number {
    case EMFILE: "raise the limit of open files (ulimit -n)"
    case ENFILE: "close files (the system has reached its limit of open files)"
    case ENOSPC, EDQUOT: "make room on the disk"
    case EFBIG: "raise the limit of file sizes (ulimit -f), or use a disk that supports larger files"
    case EROFS: "use a file on a disk that can be written"
    case EIO: "check the disk"
    case ENAMETOOLONG: "use a shorter path"
    case ELOOP: "check the symbolic links of the path"
    case EISDIR: "use a file, not a folder"
    case ENOTDIR: "check the path (a part of it is a file, not a folder)"
    case ENOENT: access == .read ? "check the path" : "create the folder first, or check the path"
    default:
      access == .read ? "use a file that this process may read" : "use a file that this process may write"
    }
  }
}
