// What a device does when its network has changed, or when the machine has slept. A connection may be dead then
// without a sign of it, and a wait that began on the former network says nothing about this one.

import Records

extension SyncMachine {
  /// The network has changed, or the machine has slept: connect at once, or find out whether the connection
  /// still works.
  package mutating func networkChanged(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch conversation.networkChanged() {
    case .connect: wake()
    case .wait: []
    case .reconnect: hangUp(because: nil, using: &generator)
    case .ping(let id, let milliseconds):
      [.send(id: id, .ping), .wait(.heartbeat, milliseconds: milliseconds)]
    }
  }
}
