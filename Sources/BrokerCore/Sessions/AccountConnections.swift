// The signed-in connections by account and by device. A program may have several connections for one device:
// when it reconnects, the broker may not have noticed yet that the former connection is dead, and nothing
// arrives on that one any more. If messages of two programs arrive for one device, the device was copied,
// and the newer copy must become a device of its own. The greeting says which run of a program a connection
// belongs to; a connection that does not say is not compared.

import Records

/// The signed-in connections of accounts and devices.
struct AccountConnections: Sendable {
  private struct DeviceKey: Hashable {
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

  /// A message on an older connection counts only this long after the newer connection's welcome: before,
  /// it may have been on its way.
  private static let graceSeconds: Int64 = 5

  /// The connections of each device, the oldest first.
  private var devices: [DeviceKey: [Member]] = [:]
  private var accounts: [DirectoryKey: Set<ConnectionID>] = [:]

  /// Adds a connection that signed in; `invocation` is the run of the program that its greeting named.
  /// - Returns: how many connections the account now has.
  mutating func add(
    _ connection: ConnectionID, _ identity: SessionIdentity, invocation: UInt64?,
    atSeconds now: Int64
  ) -> Int {
    devices[DeviceKey(identity), default: []].append(
      Member(connection: connection, invocation: invocation, welcomedSeconds: now))
    accounts[DirectoryKey(identity), default: []].insert(connection)
    return connections(of: DirectoryKey(identity)).count
  }

  mutating func remove(_ connection: ConnectionID, _ identity: SessionIdentity) {
    let device = DeviceKey(identity)
    devices[device]?.removeAll { $0.connection == connection }
    if devices[device]?.isEmpty == true { devices[device] = nil }
    let account = DirectoryKey(identity)
    accounts[account]?.remove(connection)
    if accounts[account]?.isEmpty == true { accounts[account] = nil }
  }

  /// The connections of an account.
  func connections(of account: DirectoryKey) -> Set<ConnectionID> { accounts[account] ?? [] }

  /// The connections of copies of a device, now that a message arrived on `connection`: those of other
  /// runs of a program that signed in later, and not just now.
  func copies(
    heardFrom connection: ConnectionID, _ identity: SessionIdentity, atSeconds now: Int64
  ) -> [ConnectionID] {
    guard let all = devices[DeviceKey(identity)], all.count > 1,
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
  /// The error for the newer copy of a device. A device knows its reason.
  static var copiedDevice: RecordsError {
    RecordsError(
      .constraintViolation, "Another copy of this device is connected.",
      hint: "Use a new device id and number its requests from 1.", reason: "clonedDevice")
  }
}
