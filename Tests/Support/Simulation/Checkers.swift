// The invariants of the reliability page that a whole world can be checked for. Each compares what devices
// show with what the broker committed, regardless of how they reached that state.

import AddressBook
import BrokerCore
import BrokerStore
import DeviceStore
import Records
import SyncCore

/// Checks the invariants of a world.
struct Checkers {
  let history: History
  let workload: Workload
  let account: AccountID?

  func owned(_ zone: ZoneID) -> ZoneID {
    account.map { zone.resolved(for: $0) } ?? zone
  }

  /// I8: a device that stored a token also stored the changes up to it. Checked when the device sends its
  /// hello.
  func tokenMatchesRows(_ device: SimulatedDevice, _ hello: Hello) throws {
    // A zone that is read from the start is consistent only at the end of the reading.
    let unfinished = device.replica.zonesBeingRead
    for position in hello.zones where !unfinished.contains(position.zone) {
      guard let token = position.token else { continue }
      try settledRecordsMatch(
        device, zone: position.zone, invariant: "I8",
        where: { $0.change.tag <= token.revision })
    }
  }

  /// I22: after a wait for synchronization, the device shows what was committed before the wait.
  func waitIsSatisfied(_ device: SimulatedDevice, historyLength: Int) throws {
    for zone in Set(history.byZone.keys) where !history.deletedZones.contains(zone) {
      guard let account else { return }
      try settledRecordsMatch(
        device, zone: zone.relative(to: account), invariant: "I22",
        where: { $0.index < historyLength })
    }
  }

  /// Checks that records whose newest state satisfies `isDue`, and which the device has not edited since,
  /// show exactly that state.
  private func settledRecordsMatch(
    _ device: SimulatedDevice, zone: ZoneID, invariant: String,
    where isDue: (History.Entry) -> Bool
  ) throws {
    let shown = Dictionary(
      try device.replica.reader.records(in: zone).map { ($0.id.name, $0) },
      uniquingKeysWith: { first, _ in first })
    for (id, entry) in history.newest where id.zone == owned(zone) && isDue(entry) {
      let view = shown[id.name]
      if let view, !view.isSynced { continue }
      switch entry.change.kind {
      case .saved:
        // A record with a pending deletion is rightly not shown.
        guard let view else { continue }
        let fields = try entry.change.record.fields()
        guard view.fields == fields else {
          throw InvariantViolation(
            invariant, "device \(device.index) shows \(view.fields) for \(id.name), not \(fields)")
        }
      case .deleted, .evicted:
        guard view == nil else {
          throw InvariantViolation(
            invariant,
            "device \(device.index) still shows \(id.name), deleted at "
              + "\(entry.change.tag)")
        }
      }
    }
  }

  /// I17: every edit is accounted for, at any moment.
  func ledgerIsBalanced(_ device: SimulatedDevice) throws {
    let ledger = try device.replica.reader.status().ledger
    guard ledger.isBalanced else {
      throw InvariantViolation("I17", "device \(device.index): \(ledger)")
    }
  }

  /// I9, I13, I16: when the world is settled, the device shows what the broker has, and no edit is pending.
  func deviceIsCurrent(_ device: SimulatedDevice) throws {
    let status = try device.replica.reader.status()
    guard status.waitingEntries == 0 else {
      throw InvariantViolation(
        "I16", "device \(device.index) still has \(status.waitingEntries) entries to send")
    }
    guard status.ledger.pending == 0 else {
      throw InvariantViolation("I17", "device \(device.index) has settled with \(status.ledger)")
    }
    for zone in history.byZone.keys {
      guard let account else { return }
      let expected = try history.living(in: zone)
      let views = try device.replica.reader.records(in: zone.relative(to: account))
      let shown = Dictionary(
        views.map { ($0.id.name, $0.fields) }, uniquingKeysWith: { first, _ in first })
      guard shown == expected else {
        throw InvariantViolation(
          "I9", "device \(device.index), zone \(zone): \(difference(shown, expected))")
      }
    }
  }

  private func difference(
    _ shown: [RecordName: Fields], _ expected: [RecordName: Fields]
  ) -> String {
    let names = Set(shown.keys).union(expected.keys).sorted()
    return names.filter { shown[$0] != expected[$0] }.map { name in
      "\(name) shows \(shown[name].map(String.init(describing:)) ?? "nothing"), "
        + "the broker has \(expected[name].map(String.init(describing:)) ?? "nothing")"
    }.joined(separator: "; ")
  }

  /// I13, I17: a value that a device confirmed has not vanished. It was committed, retained in a conflict,
  /// overwritten by the same device, or rejected and reported.
  func noEditVanished(_ devices: [SimulatedDevice]) throws {
    var seen: Set<Value> = []
    for entry in history.entries where entry.change.kind == .saved {
      for field in try entry.change.record.fields().all { seen.insert(field.value) }
    }
    for device in devices {
      for rejected in try device.replica.reader.rejectedEdits() {
        for field in rejected.changes.set.all { seen.insert(field.value) }
      }
    }
    for edit in workload.edits where !seen.contains(edit.value) {
      guard !isSuperseded(edit) else { continue }
      throw InvariantViolation(
        "I13/I17", "\(edit.value) set by device \(edit.device) in \(edit.id) has vanished")
    }
  }

  /// Whether the same device later changed the same field again, or deleted the record.
  private func isSuperseded(_ edit: Workload.Edit) -> Bool {
    let zones = workload.zonesOf(edit.id)
    let isOverwritten = workload.edits.contains {
      $0.device == edit.device && $0.id.name == edit.id.name && zones.contains($0.id.zone)
        && $0.key == edit.key && $0.order > edit.order
    }
    let deletion = workload.lastDeletion(of: edit.id, on: edit.device)
    return isOverwritten || deletion > edit.order
      || zones.contains { zone in
        workload.lastGroupDeletion["\(edit.device) \(zone)"] ?? -1 > edit.order
          || history.everDeletedZones.contains(owned(zone))
      }
  }

  /// Z1: a moved contact is in one group, so no two records of a name show the same value. The check omits
  /// restored records, and all records once tombstones expired, because a device that was away for so long
  /// cannot know of the move. It also omits records that a late photo kept in the former group, and bundled
  /// contacts that the account did not have there when they were moved (decision 28).
  func noDuplicateRemains(except restoredRecords: Set<RecordName>) throws {
    guard !history.hasExpiredTombstones else { return }
    var copies: [RecordName: [(zone: ZoneID, fields: Fields)]] = [:]
    for zone in history.byZone.keys where !history.deletedZones.contains(zone) {
      for (name, fields) in try history.living(in: zone) where !restoredRecords.contains(name) {
        guard workload.homes[name] != nil, wasInAccount(name) else { continue }
        for other in copies[name] ?? [] where Set(other.fields.assets) == Set(fields.assets) {
          let shared = Self.texts(other.fields).intersection(Self.texts(fields))
          guard shared.isEmpty else {
            throw InvariantViolation(
              "Z1", "\(name) with \(shared) is in \(other.zone) and in \(zone) after a move")
          }
        }
        copies[name, default: []].append((zone, fields))
      }
    }
  }

  private func wasInAccount(_ name: RecordName) -> Bool {
    guard name.text.hasPrefix("bundled-"), let account else { return true }
    let first = history.entries.first { $0.change.name == name }
    return first?.zone == ZoneID.standard.resolved(for: account)
  }

  private static func texts(_ fields: Fields) -> Set<String> {
    Set(
      fields.all.compactMap {
        if case .string(let text) = $0.value { text } else { nil }
      })
  }
}

// MARK: - Files

extension Checkers {
  /// I19: the broker has every file that a record refers to. A device has every file that it shows, or the
  /// broker retains a state that refers to it, so that it can be fetched. A device has every file of its own
  /// table.
  func filesAreThere(_ broker: SimulatedBroker, _ devices: [SimulatedDevice]) throws {
    var onBroker: Set<AssetDigest> = []
    for (id, entry) in history.newest
    where entry.change.kind == .saved && !history.deletedZones.contains(id.zone) {
      for asset in entry.change.record.assets {
        onBroker.insert(asset.id)
        guard broker.disk.files[asset.id] != nil else {
          throw InvariantViolation(
            "I19", "record \(id.name) refers to a file that the broker lacks")
        }
      }
    }
    for device in devices {
      for digest in try device.replica.reader.entered(Array(onBroker))
      where device.files[digest] == nil {
        throw InvariantViolation("I19", "device \(device.index) has a row without its file")
      }
      for view in try shown(by: device) where !view.isSynced {
        for asset in view.fields.assets
        where try device.files[asset.id] == nil && !canBeFetched(asset, of: view.id, broker) {
          throw InvariantViolation(
            "I19", "device \(device.index) shows \(view.id.name) without its file")
        }
      }
    }
  }

  /// Whether the broker sends the file to a reader of the record's zone, or of a zone that the record leaves with a move
  /// that was not sent yet. Another device may have deleted the record there; the broker retains its earlier states.
  private func canBeFetched(
    _ asset: Asset, of id: RecordID, _ broker: SimulatedBroker
  ) throws -> Bool {
    let id = RecordID(zone: owned(id.zone), name: id.name)
    var zones: Set = [id.zone]
    if history.newest[id]?.change.kind != .saved {
      zones.formUnion(history.newest.keys.filter { $0.name == id.name }.map(\.zone))
    }
    return try zones.contains { zone in
      try isSent(asset, of: RecordID(zone: zone, name: id.name), by: broker)
    }
  }

  /// Whether the broker sends the file to a reader of this zone. A device that does not know yet that the record was
  /// erased learns of record and file together.
  private func isSent(
    _ asset: Asset, of id: RecordID, by broker: SimulatedBroker
  ) throws -> Bool {
    guard let account else { return false }
    // The history of an erased record counts even if the record was created again.
    let isErased = history.byZone[id.zone, default: []].contains {
      $0.change.name == id.name && $0.change.kind == .deleted
        && (history.hasExpiredTombstones || $0.change.tag <= history.erased[id.zone] ?? .zero)
    }
    guard !isErased, !history.deletedZones.contains(id.zone) else { return true }
    let identity = SessionIdentity(
      container: 1, account: account, accountKey: 1, device: DeviceID(0), deviceKey: 0)
    return try broker.disk.files[asset.id] != nil
      && broker.store.asset(asset.id, in: id.zone, for: identity) != nil
  }

  /// When the world is settled, every device has the photo of every contact.
  func photosAreLocal(_ devices: [SimulatedDevice]) throws {
    for device in devices {
      for view in try shown(by: device) {
        for asset in view.fields.assets where device.files[asset.id] == nil {
          throw InvariantViolation(
            "I19", "device \(device.index) has settled without the photo of \(view.id.name)")
        }
      }
    }
  }

  private func shown(by device: SimulatedDevice) throws -> [RecordView] {
    let reader = device.replica.reader
    return try reader.groups().flatMap { try reader.records(in: $0.zone) }
      .filter { $0.type.text == "Contact" }
  }
}
