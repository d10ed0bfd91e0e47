import Synchronization

/// A reference that is set once, by whichever thread is first, and never changes again.
///
/// It does what `AtomicLazyReference` does, whose generic code takes a hundred times as long to load a reference.
///
/// Sendable notes: the pointer is atomic, and owns one reference until the end.
struct SetOnce<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  private let pointer = Atomic<UnsafeMutableRawPointer?>(nil)

  /// The object; `nil` where none is set yet.
  func load() -> Object? {
    guard let pointer = pointer.load(ordering: .acquiring) else { return nil }
    return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Sets an object unless there is one, and returns the one that is set.
  func storeIfNil(_ object: Object) -> Object {
    let new = Unmanaged.passRetained(object)
    let (isSet, current) = pointer.compareExchange(
      expected: nil,
      desired: new.toOpaque(),
      ordering: .acquiringAndReleasing
    )
    if isSet { return object }
    new.release()
    guard let current else { return object }
    return Unmanaged<Object>.fromOpaque(current).takeUnretainedValue()
  }

  deinit {
    if let pointer = pointer.load(ordering: .acquiring) { Unmanaged<Object>.fromOpaque(pointer).release() }
  }
}
