// The changes of this run of the program. If its output cannot be written, the user has to learn that the
// changes were made, so as not to repeat them.

import Synchronization

/// The changes that the agent has confirmed.
final class SavedChanges: Sendable {
  /// The maximum number of ids in the sentence.
  private static let idsShown = 3

  private struct State {
    var ids: [String] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// Creates an empty record.
  init() {}

  /// Records a change of the resource with this id; `nil` if the agent returned none.
  func note(id: String?) {
    state.withLock { state in
      state.count += 1
      if let id, state.ids.count < Self.idsShown { state.ids.append(id) }
    }
  }

  /// The changes as one sentence; `nil` if there are none.
  var sentence: String? {
    let (ids, count) = state.withLock { ($0.ids, $0.count) }
    guard count > 0 else { return nil }
    let more = count > ids.count ? ", …" : ""
    let named = ids.isEmpty ? "" : " (\(ids.joined(separator: ", "))\(more))"
    let what = count == 1 ? "The change was saved" : "\(Quantity.text(count)) changes were saved"
    return "\(what)\(named); do not repeat the command."
  }
}
