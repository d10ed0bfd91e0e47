import Synchronization

/// A reference that is set once, by the first thread, and never changes.
///
/// This is a faster `AtomicLazyReference`, whose generic code takes a hundred times as long to load a reference.
///
/// Sendable notes: the pointer is atomic, and owns one reference until `deinit`.
struct SetOnce<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  private let pointer = Atomic<UnsafeMutableRawPointer?>(nil)

  /// Returns the object; `nil` if it is not set yet.
  func load() -> Object? {
    guard let pointer = pointer.load(ordering: .acquiring) else { return nil }
    return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Calls a function with the object, without counting a reference to it; returns `nil` if it is not set yet.
  ///
  /// Counting a reference takes about as long as copying a price.
  @inline(__always)
  func with<Result>(_ body: (Object) -> Result) -> Result? {
    guard let pointer = pointer.load(ordering: .acquiring) else { return nil }
    return Unmanaged<Object>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }

  /// Sets the object unless it is already set, and returns the object that is set.
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

/// A value that is shared by reference.
final class Box<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
