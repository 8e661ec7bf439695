// Which connections speak for which device. A program may have several for one device, and while it makes
// a new one the broker may not have noticed the end of the former, which then says nothing any more. Two
// programs that both speak are two copies of one device, and the newer one becomes a device of its own.
// Which program a connection belongs to is said in its hello; one that does not say is not compared.

import Records

/// The connections of each device, the oldest first.
struct DeviceConnections: Sendable {
  private struct Key: Hashable {
    let container: StoreKey
    let device: StoreKey

    init(_ identity: SessionIdentity) {
      container = identity.container
      device = identity.deviceKey
    }
  }

  private struct Member {
    let connection: ConnectionID
    let invocation: UInt64?
    let welcomedSeconds: Int64
  }

  /// What an older connection says for so long after the newer one's welcome may have been on its way.
  private static let graceSeconds: Int64 = 5

  private var members: [Key: [Member]] = [:]

  /// Adds a connection that was welcomed; `invocation` is what its hello said.
  mutating func add(
    _ connection: ConnectionID, _ identity: SessionIdentity, invocation: UInt64?,
    atSeconds now: Int64
  ) {
    members[Key(identity), default: []].append(
      Member(connection: connection, invocation: invocation, welcomedSeconds: now))
  }

  /// Removes a connection.
  mutating func remove(_ connection: ConnectionID, _ identity: SessionIdentity) {
    let key = Key(identity)
    members[key]?.removeAll { $0.connection == connection }
    if members[key]?.isEmpty == true { members[key] = nil }
  }

  /// The connections of copies, now that `connection` has said something: those of the same device and
  /// of another program that were welcomed after it, and not just now.
  func copies(
    heardFrom connection: ConnectionID, _ identity: SessionIdentity, atSeconds now: Int64
  ) -> [ConnectionID] {
    guard let all = members[Key(identity)], all.count > 1,
      let index = all.firstIndex(where: { $0.connection == connection }),
      let invocation = all[index].invocation
    else { return [] }
    return all[(index + 1)...].filter { later in
      later.invocation.map { $0 != invocation } == true
        && now - later.welcomedSeconds >= Self.graceSeconds
    }.map(\.connection)
  }
}

extension RecordsError {
  /// Two that both work are the same device: `constraintViolation`, with a reason that a device knows.
  static var copiedDevice: RecordsError {
    RecordsError(
      .constraintViolation, "Another copy of this device is connected.",
      hint: "Take a new device id and number the requests from 1.", reason: "clonedDevice")
  }
}
