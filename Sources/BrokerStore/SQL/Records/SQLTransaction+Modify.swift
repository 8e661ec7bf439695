// A modify request in a transaction: reads the rows that its plan needs, and writes the plan.

import BrokerCore
import Records
import SQLConnections

extension SQLTransaction {
  func gather(
    _ request: ModifyRequest, of identity: SessionIdentity
  ) throws -> ModifyRows {
    let numbers = try devices.numbers(of: identity, for: request.number)
    guard request.number == numbers.last.next else {
      return try gatherPermissions(for: request, of: identity, numbers: numbers)
    }
    return try gather(request, of: identity, numbers: numbers, publicRights: publicRights)
  }

  /// Reads what decides whether the stored outcome of a repeated request may be returned to its device.
  private func gatherPermissions(
    for request: ModifyRequest, of identity: SessionIdentity, numbers: StoredNumbers
  ) throws -> ModifyRows {
    var stored: [ZoneID: StoredZone] = [:]
    var participations: [ZoneID: StoredParticipation] = [:]
    for group in request.groups where numbers.outcome != nil {
      let id = group.zone.resolved(for: identity.account)
      guard stored[id] == nil else { continue }
      stored[id] = try zones.zone(id, container: identity.container)
      guard let key = stored[id]?.key, id.owner != identity.account else { continue }
      participations[id] = try participants.participation(of: identity.accountKey, in: key)
    }
    return ModifyRows(
      numbers: numbers, zones: stored, records: [:], participations: participations,
      publicRights: publicRights)
  }

  /// Reads the rows that a request concerns. It stops reading records once they have more than
  /// `Limits.storedBytesPerRequest` bytes.
  func gather(
    _ request: ModifyRequest, of identity: SessionIdentity, numbers: StoredNumbers,
    publicRights: PublicRights
  ) throws -> ModifyRows {
    var stored: [ZoneID: StoredZone] = [:]
    var found: [RecordID: Change] = [:]
    var participations: [ZoneID: StoredParticipation] = [:]
    var unseen: [ZoneID: UnseenChanges] = [:]
    guard request.number == numbers.last.next else {
      return ModifyRows(numbers: numbers, zones: stored, records: found)
    }
    let names = request.mentions
    var storedBytes = 0
    for group in request.groups {
      let id = group.zone.resolved(for: identity.account)
      if stored[id] == nil { stored[id] = try zones.zone(id, container: identity.container) }
      guard let key = stored[id]?.key else { continue }
      if id.owner != identity.account, participations[id] == nil {
        participations[id] = try participants.participation(of: identity.accountKey, in: key)
      }
      if id.owner == identity.account, let versions = group.versionsReadByDeletion,
        let zone = stored[id]
      {
        unseen[id] = try records.changes(
          unreadIn: versions, in: zone, besidesThoseOf: identity)
      }
      for name in group.operations.compactMap(\.recordName) {
        let recordID = RecordID(zone: id, name: name)
        guard found[recordID] == nil, storedBytes <= Limits.storedBytesPerRequest,
          let record = try records.recordForUpdate(name, zone: key)
        else { continue }
        storedBytes += record.record.bytes.count
        found[recordID] = record
      }
    }
    let isHiding =
      !memory.cascadingZones.isEmpty
      && stored.values.contains { memory.cascadingZones.contains($0.key ?? 0) }
    var gathered = ModifyRows(
      numbers: numbers, zones: stored, records: found,
      assets: names.assets
        ? try assets.gather(request, zones: stored, records: found, of: identity) : nil,
      participations: participations, publicRights: publicRights,
      zoneCounts: try request.mayCreateZone
        ? zones.counts(of: identity.accountKey, container: identity.container) : ZoneCounts(),
      references: names.parents || isHiding
        ? try gatherReferences(of: request, identity, zones: stored, records: found, publicRights)
        : .nothing,
      usages: try usages(of: request, by: identity, over: found))
    gathered.storedBytes = storedBytes
    gathered.unseenChanges = unseen
    if request.mayCreateZone { gathered.newZoneHead = try zones.newZoneHead }
    return gathered
  }

  func apply(
    _ writes: ModifyWrites, of identity: SessionIdentity
  ) throws -> (outcome: ModifyOutcome, effects: CommitEffects) {
    let (done, effects) = try carryOut(writes, of: identity)
    try devices.record(done, device: identity.deviceKey)
    return (done.outcome, effects)
  }

  /// Writes a plan without storing its outcome. Returns the plan with the records that cascades deleted.
  func carryOut(
    _ writes: ModifyWrites, of identity: SessionIdentity
  ) throws -> (writes: ModifyWrites, effects: CommitEffects) {
    var executor = ModifyExecutor(transaction: self, identity: identity)
    for write in writes.writes { try executor.apply(write) }
    let done = writes.noting(try executor.deleteReferring(to: writes.deletions))
    return (done, try executor.finish())
  }
}

extension ModifyRequest {
  /// Whether the request may create or restore a zone.
  fileprivate var mayCreateZone: Bool {
    groups.contains { group in
      group.operations.contains { operation in
        switch operation {
        case .saveZone, .restoreZone: true
        case .save, .delete, .deleteZone, .emptyTrash: false
        }
      }
    }
  }

  /// Whether any save refers to an asset, and whether any has a `deleteSelf` reference.
  fileprivate var mentions: (assets: Bool, parents: Bool) {
    var names = (assets: false, parents: false)
    for group in groups {
      for case .save(let save) in group.operations {
        let mentions = save.fields.mentions
        if !mentions.assets.isEmpty { names.assets = true }
        if !mentions.parents.isEmpty { names.parents = true }
      }
    }
    return names
  }
}

extension OperationGroup {
  /// What the author of the zone's deletion has read of it; `nil` if it is not deleted, or unconditionally. If several
  /// operations name a position, that of the earliest.
  fileprivate var versionsReadByDeletion: VersionVector? {
    let read = operations.compactMap { operation -> (token: ChangeToken, former: VersionVector)? in
      guard case .deleteZone(let token?, let former) = operation else { return nil }
      return (token, former)
    }.min { $0.token.revision < $1.token.revision }
    guard let read else { return nil }
    var versions = read.former
    versions.raise(read.token.incarnation, to: read.token.revision)
    return versions
  }
}

extension Operation {
  /// The name of the record that the operation saves or deletes; `nil` for an operation on a zone.
  var recordName: RecordName? {
    switch self {
    case .save(let save): save.name
    case .delete(let delete): delete.name
    case .saveZone, .deleteZone, .restoreZone, .emptyTrash: nil
    }
  }
}
