/// The waits that end with a checkpoint: the broker's answer that everything before it was sent.
struct CheckpointWaits: Sendable {
  /// The state of a wait.
  enum State: Hashable, Sendable {
    case wanted
    case asked(checkpoint: UInt64)
  }

  /// The callers that wait for everything to be sent and read, by their ids.
  var callers: [UInt64: State] = [:]
  /// The wait for the targets of moved records; `nil` if none is needed.
  var targets: State?
  /// Whether to look for records that are in two groups. It is done once a connection.
  var looksForDoubledRecords = true
  /// Whether to wait for targets again when that wait is over.
  var repeatsForTargets = false

  /// The connection ended: the checkpoints are requested again.
  mutating func disconnected() {
    for id in callers.keys { callers[id] = .wanted }
    if targets != nil { targets = .wanted }
    looksForDoubledRecords = true
  }

  /// The broker refused a checkpoint.
  mutating func refused(_ checkpoint: UInt64) {
    for id in callers.keys where callers[id] == .asked(checkpoint: checkpoint) {
      callers[id] = .wanted
    }
    if targets == .asked(checkpoint: checkpoint) { targets = .wanted }
  }
}
