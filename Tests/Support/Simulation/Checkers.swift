// The invariants of the reliability page that a whole world can be asked about. Each looks at what
// devices show and what the broker committed; none looks at how they came to it.

import BrokerCore
import BrokerStore
import DeviceStore
import Records
import SyncCore

/// Asks a world about its invariants.
struct Checkers {
  let history: History
  let workload: Workload
  let account: AccountID?

  func owned(_ zone: ZoneID) -> ZoneID {
    account.map { zone.resolved(for: $0) } ?? zone
  }

  /// I8: where a device's token stands, its rows stand too. Asked when the device says hello.
  func tokenMatchesRows(_ device: SimulatedDevice, _ hello: Hello) throws {
    // A zone that is read again is made consistent at the end of its reading, not before.
    let unfinished = device.replica.zonesBeingRead
    for position in hello.zones where !unfinished.contains(position.zone) {
      guard let token = position.token else { continue }
      try settledRecordsMatch(
        device, zone: position.zone, invariant: "I8",
        where: { $0.change.tag <= token.revision })
    }
  }

  /// I22: after a wait for a whole sync, what was committed before it is shown.
  func waitWasKept(_ device: SimulatedDevice, historyLength: Int) throws {
    for zone in Set(history.byZone.keys) where !history.deletedZones.contains(zone) {
      guard let account else { return }
      try settledRecordsMatch(
        device, zone: zone.relative(to: account), invariant: "I22",
        where: { $0.index < historyLength })
    }
  }

  /// The records whose newest state is one of those `isDue`, and which the device did not edit
  /// since, show exactly that state.
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
        // A record deleted here, with the deletion still waiting, is rightly not shown.
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

  /// I17: every edit is accounted for. True at every moment.
  func ledgerIsBalanced(_ device: SimulatedDevice) throws {
    let ledger = try device.replica.reader.status().ledger
    guard ledger.isBalanced else {
      throw InvariantViolation("I17", "device \(device.index): \(ledger)")
    }
  }

  /// I9, I13, I16: when all is quiet, the device shows what the broker has, and nothing waits.
  func deviceIsLevel(_ device: SimulatedDevice) throws {
    let status = try device.replica.reader.status()
    guard status.waitingEntries == 0 else {
      throw InvariantViolation(
        "I16", "device \(device.index) still has \(status.waitingEntries) entries to send")
    }
    guard status.ledger.pending == 0 else {
      throw InvariantViolation("I17", "device \(device.index) is quiet with \(status.ledger)")
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

  /// I13, I17: no value that somebody was told is saved has vanished: it was committed at some
  /// time, or lost and is kept in a conflict, or its own author went over it, or it is parked.
  func noEditVanished(_ devices: [SimulatedDevice]) throws {
    var seen: Set<Value> = []
    for entry in history.entries where entry.change.kind == .saved {
      for field in try entry.change.record.fields().all { seen.insert(field.value) }
    }
    for device in devices {
      for parked in try device.replica.reader.parked() {
        for field in parked.changes.set.all { seen.insert(field.value) }
      }
    }
    for edit in workload.edits where !seen.contains(edit.value) {
      guard !isSuperseded(edit) else { continue }
      throw InvariantViolation(
        "I13/I17", "\(edit.value) set by device \(edit.device) in \(edit.id) has vanished")
    }
  }

  /// Whether the edit's author changed the same field again, or deleted the record, afterwards.
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
          || history.deletedZones.contains(owned(zone))
      }
  }

  /// A contact that was moved is in one group: no two records of a name show a value that was typed
  /// once. Not asked of what somebody brought back on purpose, nor once tombstones were reaped: a device
  /// that was away for so long cannot know of the move. Nor where a photo that came late kept a record in
  /// its former group, nor of one of the first contacts that the account never had there (decision 28).
  func noCopyIsLeft(except broughtBack: Set<RecordName>) throws {
    guard !history.hasReaped else { return }
    var copies: [RecordName: [(zone: ZoneID, fields: Fields)]] = [:]
    for zone in history.byZone.keys where !history.deletedZones.contains(zone) {
      for (name, fields) in try history.living(in: zone) where !broughtBack.contains(name) {
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
    let home = history.byZone[ZoneID.standard.resolved(for: account)] ?? []
    return home.contains { $0.change.name == name }
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
  /// I19: every file that a record on the broker names is on its disk; every file that a device
  /// shows is on its own disk or named by a state that the broker keeps, and so to be fetched
  /// there; every file that a device has a row for is there.
  func filesAreThere(_ broker: SimulatedBroker, _ devices: [SimulatedDevice]) throws {
    var onBroker: Set<AssetDigest> = []
    for (id, entry) in history.newest
    where entry.change.kind == .saved && !history.deletedZones.contains(id.zone) {
      for asset in entry.change.record.assets {
        onBroker.insert(asset.id)
        guard broker.disk.files[asset.id] != nil else {
          throw InvariantViolation("I19", "record \(id.name) names a file the broker lacks")
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
        where try device.files[asset.id] == nil && !isToBeHad(asset, of: view.id, broker) {
          throw InvariantViolation(
            "I19", "device \(device.index) shows \(view.id.name) without its file")
        }
      }
    }
  }

  /// Whether the broker gives the file out to whoever reads the record's zone. A device that has not
  /// heard yet that record and file are gone for good learns both at once.
  private func isToBeHad(
    _ asset: Asset, of id: RecordID, _ broker: SimulatedBroker
  ) throws -> Bool {
    guard let account else { return false }
    let zone = owned(id.zone)
    // Also of a record that was made again since: it is another one.
    let isErased = history.byZone[zone, default: []].contains {
      $0.change.name == id.name && $0.change.kind == .deleted
        && (history.hasReaped || $0.change.tag <= history.erased[zone] ?? .zero)
    }
    guard !isErased, !history.deletedZones.contains(zone) else { return true }
    let identity = SessionIdentity(
      container: 1, account: account, accountKey: 1, device: DeviceID(0), deviceKey: 0)
    return try broker.disk.files[asset.id] != nil
      && broker.store.asset(asset.id, in: zone, for: identity) != nil
  }

  /// When all is quiet, every contact's photo is on every device.
  func photosAreLocal(_ devices: [SimulatedDevice]) throws {
    for device in devices {
      for view in try shown(by: device) {
        for asset in view.fields.assets where device.files[asset.id] == nil {
          throw InvariantViolation(
            "I19", "device \(device.index) is quiet and lacks the photo of \(view.id.name)")
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
