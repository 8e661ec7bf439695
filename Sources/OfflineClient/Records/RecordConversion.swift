// Conversions between the records of a program and those of the replica.

import BrokerClient
import DeviceStore
import Predicates
import Records
import SyncCore

extension Record {
  /// Creates a record from the replica. Its change tag is the version on this device.
  init(_ view: RecordView, in scope: DatabaseScope) throws(RecordsError) {
    let zone = view.id.zone.isPublic ? ZoneID.standard : ZoneID(view.id.zone)
    try self.init(view.change, zone: zone)
  }

  func expectation(under policy: SavePolicy) -> LocalEdit.Expectation {
    switch policy {
    case .ifServerRecordUnchanged: recordChangeTag.map { .version($0) } ?? .absent
    // A save of some fields must not create a part of a record that was deleted since.
    case .changedKeys: recordChangeTag == nil ? .any : .present
    case .allKeys: .any
    }
  }
}

extension RecordView {
  /// The fields without the replica's own.
  private var programFields: Fields {
    var fields = fields
    fields[MoveTrail.field] = nil
    return fields
  }

  /// The record as a state of the broker would be. Account 0 stands for this account before it is known.
  fileprivate var change: Change {
    let creation = Origin(
      account: createdAccount ?? .current, device: modifiedDevice ?? DeviceID(0), request: .zero)
    let modification = Origin(
      account: modifiedAccount ?? .current, device: modifiedDevice ?? DeviceID(0), request: .zero)
    return Change(
      name: id.name, tag: Revision(version), kind: .saved, type: type,
      created: Stamp(time: created, origin: creation),
      modified: Stamp(time: modified, origin: modification),
      record: EncodedRecord(programFields))
  }
}

extension RecordID {
  /// The id that the replica uses.
  func stored(in scope: DatabaseScope) throws(RecordsError) -> Records.RecordID {
    guard scope == .public else {
      return Records.RecordID(zone: zoneID.stored, name: try storedName())
    }
    guard zoneID == .standard else {
      throw .invalid("The public database has no zone but the standard one.")
    }
    return Records.RecordID(zone: .public, name: try storedName())
  }
}

extension Query {
  /// The query as the replica evaluates it.
  func recordQuery(
    inZone zone: ZoneID?, _ scope: DatabaseScope, limit: Int
  ) throws(RecordsError) -> RecordQuery {
    let form = try form(in: scope, zone: zone, limit: limit)
    return try RecordQuery(form)
  }
}
