import Synchronization
import Testing

/// A recorded failure of an expectation: its text and its source line.
struct RecordedFailure: Equatable {
  let text: String
  let line: Int?
}

/// Returns the failures that a body records in Swift Testing. The test fails if there are none.
func failures(of body: () -> Void) -> [RecordedFailure] {
  let recorded = FailureCollection()
  withKnownIssue {
    body()
  } matching: { issue in
    let text = issue.comments.map(\.rawValue).joined(separator: "\n")
    recorded.failures.withLock { $0.append(RecordedFailure(text: text, line: issue.sourceLocation?.line)) }
    return true
  }
  return recorded.failures.withLock { $0 }
}

private final class FailureCollection: Sendable {
  let failures = Mutex<[RecordedFailure]>([])
}
