import Synchronization
import Testing

/// What an expectation that fails tells: its text, and the line that it points at.
struct ToldFailure: Equatable {
  let text: String
  let line: Int?
}

/// Collects what expectations tell that fail, as issues of Swift Testing; fails where none does.
func failures(of body: () -> Void) -> [ToldFailure] {
  let told = Collected()
  withKnownIssue {
    body()
  } matching: { issue in
    let text = issue.comments.map(\.rawValue).joined(separator: "\n")
    told.failures.withLock { $0.append(ToldFailure(text: text, line: issue.sourceLocation?.line)) }
    return true
  }
  return told.failures.withLock { $0 }
}

private final class Collected: Sendable {
  let failures = Mutex<[ToldFailure]>([])
}
