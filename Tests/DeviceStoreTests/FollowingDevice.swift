// A device that gets the frames of a test in place of a broker's.

import Contacts
import DeviceRoom
import Records
import RecordsWire
import SyncCore

@testable import DeviceStore

enum FollowingDevice {
  static let account = AccountID(0xACC)
  /// The id of the device.
  static let own = DeviceID(5)

  /// A device that was welcomed and stands at revision 0 of its standard zone.
  static func make() throws -> TestDevice {
    let device = try TestDevice(Room(), "phone", isOnline: false)
    _ = device.replica.brokerAppeared()
    let greeting = try device.replica.connected(now: Room.now)
    guard case .conversation(.send(let id, _)) = greeting.first else {
      throw RecordsError(.internalError, "The device does not greet.")
    }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: own, lastNumber: .zero,
      directory: .zero, heartbeatSeconds: 30)
    _ = try device.replica.received(.welcome(welcome), replyTo: id, now: Room.now)
    return device
  }

  /// A change of a contact by another device, or by `device`.
  static func change(
    _ name: String, at tag: Int64, by device: DeviceID = DeviceID(77), _ fields: Fields
  ) -> Change {
    change(name, at: tag, by: device, EncodedRecord(fields))
  }

  /// A change of a contact with any bytes.
  static func change(
    _ name: String, at tag: Int64, by device: DeviceID = DeviceID(77), _ record: EncodedRecord
  ) -> Change {
    let stamp = Stamp(
      time: Room.now,
      origin: Origin(account: account, device: device, request: RequestNumber(1)))
    return Change(
      name: RecordName(stored: name), tag: Revision(tag), kind: .saved, type: ContactRecord.type,
      created: stamp, modified: stamp, record: record)
  }

  /// A frame with changes of consecutive revisions.
  static func frame(_ changes: [Change]) -> BrokerFrame {
    let first = changes.first?.tag.value ?? 1
    let last = changes.last?.tag ?? .zero
    return BrokerFrame(
      replyTo: 0,
      message: .changes(
        ZoneChanges(
          zone: ZoneID.standard.resolved(for: account), incarnation: Incarnation(1),
          from: Revision(first - 1), to: last, scanStart: nil, changes: changes)))
  }
}
