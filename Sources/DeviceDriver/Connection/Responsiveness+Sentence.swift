import Records
import SyncCore

extension Responsiveness {
  /// The sentence that users see while the broker does not answer, or answers slowly; `nil` otherwise.
  package func sentence(at now: Timestamp) -> String? {
    switch self {
    case .prompt: nil
    case .slow(let milliseconds):
      "The broker answers slowly: \(Self.text(milliseconds: milliseconds))."
    case .missing:
      "The broker has not answered for \(Self.text(milliseconds: milliseconds(at: now)))."
    }
  }

  /// When to try again. A slow broker answers, so waiting until the device is live does not help.
  package func hint(whenLive hint: String) -> String {
    if case .slow = self { return "Try again in a moment." }
    return hint
  }

  /// How long the last answer took, or how long the broker has not answered; 0 if it answers at once.
  package func milliseconds(at now: Timestamp) -> Int {
    switch self {
    case .prompt: 0
    case .slow(let milliseconds): milliseconds
    // The clock may have been set back.
    case .missing(let since): Int(max(0, now.microseconds &- since.microseconds) / 1000)
    }
  }

  /// Returns a duration with one unit: “4.2 s”, “48 s”, “12 min” or “5 h”.
  private static func text(milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    return switch seconds {
    case ..<10 where milliseconds % 1000 >= 100: "\(seconds).\(milliseconds / 100 % 10) s"
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    default: "\(seconds / 3600) h"
    }
  }
}
