// What this run of the program has changed, for the case that its output cannot be written: then a person
// must learn that the change is made, or repeats it.

import Synchronization

/// The changes that the agent has confirmed.
final class SavedChanges: Sendable {
  /// The ids that a sentence names.
  private static let idsShown = 3

  private struct State {
    var ids: [String] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// No change.
  init() {}

  /// Notes a change of the thing with this id; `nil` where the agent told none.
  func note(id: String?) {
    state.withLock { state in
      state.count += 1
      if let id, state.ids.count < Self.idsShown { state.ids.append(id) }
    }
  }

  /// What was saved, as one sentence; `nil` when nothing was.
  var sentence: String? {
    let (ids, count) = state.withLock { ($0.ids, $0.count) }
    guard count > 0 else { return nil }
    let more = count > ids.count ? ", …" : ""
    let named = ids.isEmpty ? "" : " (\(ids.joined(separator: ", "))\(more))"
    let what = count == 1 ? "The change was saved" : "\(count) changes were saved"
    return "\(what)\(named); do not repeat the command."
  }
}
