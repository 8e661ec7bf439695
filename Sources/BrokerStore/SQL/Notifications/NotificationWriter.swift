// Matches a record change against the subscriptions, in the change's own transaction. A match inserts one
// notification row, regardless of how many devices it notifies. The row contains the fields that the matching
// subscriptions need.

import BrokerCore
import Matching
import Predicates
import Records
import SQLConnections

/// Writes the notifications of one request's changes.
struct NotificationWriter {
  let transaction: SQLTransaction
  let identity: SessionIdentity
  private(set) var effects = CommitEffects()

  /// The subscriptions that match the current change; without a reason if a predicate was not evaluated.
  private var matches: [(entry: SubscriptionBook.Entry, reason: MatchReason?)] = []

  init(transaction: SQLTransaction, identity: SessionIdentity) {
    self.transaction = transaction
    self.identity = identity
  }

  private var memory: WriterMemory { transaction.memory }

  /// Notifies about a change from `before` to `change` in a zone with row `key`.
  mutating func tell(
    _ change: Change, over before: Change?, in zone: ZoneID, key: StoreKey
  ) throws {
    try match(change, over: before, in: zone, key: key)
    // An account's change switches off its own subscriptions that exceed the step limit. Those of other
    // accounts remain active; their devices get a collapsed notification for this record.
    for (entry, reason) in matches where reason == nil && entry.account == identity.accountKey {
      let failure = "Evaluating the predicate took too long on record “\(change.name)”."
      if let commit = try transaction.switchOff(entry, reason: failure) {
        effects.directories.append(commit)
      }
    }
    guard !matches.isEmpty else { return }
    let targets = try targets()
    guard !targets.isEmpty else { return }
    let number = try memory.nextNotificationNumber(in: transaction.db)
    try write(change, over: before, number: number, zone: key, targets)
    try deactivateFired(targets)
    effects.notified.append(
      NotificationCommit(number: number, receivers: targets.distinctReceivers))
  }

  private mutating func match(
    _ change: Change, over before: Change?, in zone: ZoneID, key: StoreKey
  ) throws {
    matches.removeAll(keepingCapacity: true)
    let old = before.flatMap(RecordState.init(live:))
    let new = RecordState(live: change)
    guard old != nil || new != nil else { return }
    let scopes = try scopes(of: zone, key: key)
    let event = RecordEvent(scopes: scopes, type: change.type, old: old, new: new)
    let isForAll = !zone.isPublic || transaction.publicRights.isReadByAll(change.type)
    let creator = isForAll ? nil : try transaction.creator(of: change)
    guard isForAll || creator != nil else { return }
    memory.book.match(
      event, container: identity.container, by: identity.accountKey, only: creator
    ) {
      matches.append(($0, $1))
    } unknown: {
      matches.append(($0, nil))
    }
  }

  /// Returns the scopes whose subscriptions may match a change in the zone.
  private func scopes(of zone: ZoneID, key: StoreKey) throws -> [SubscriptionScope] {
    if zone.isPublic { return [.publicDatabase] }
    // The permissions at this change: the participants as of this transaction.
    return try [.zone(zone), .privateDatabase(zone.owner)]
      + transaction.participants.members(of: key).map { .sharedDatabase($0.id) }
  }

  /// Returns the devices to notify, for each matching subscription, sorted by device. Excludes the device
  /// that made the change unless the subscription includes its own changes.
  private func targets() throws -> [NotificationTarget] {
    var targets: [NotificationTarget] = []
    for (entry, reason) in matches {
      let owner = SubscriptionBook.Owner(container: entry.container, account: entry.account)
      for address in try memory.receivers(of: owner, in: transaction.db) {
        guard entry.device == nil || entry.device == address.device,
          entry.includesOwnChanges || address.device != identity.deviceKey
        else { continue }
        targets.append(
          NotificationTarget(
            receiver: address.receiver, subscription: entry.key, reason: reason))
      }
    }
    targets.sort { ($0.receiver, $0.subscription) < ($1.receiver, $1.subscription) }
    return targets
  }

  private func write(
    _ change: Change, over before: Change?, number: NotificationNumber, zone: StoreKey,
    _ targets: [NotificationTarget]
  ) throws {
    let old = try fields(of: before) { $0.reportsOldState }
    let new = try fields(of: change) { !$0.reportsOldState }
    try memory.statements(in: transaction.db).notification.run {
      $0.bind(1, number.value)
      $0.bind(2, zone)
      $0.bind(3, change.name.text)
      $0.bind(4, change.type.text)
      $0.bind(5, change.tag.value)
      $0.bind(6, change.modified.time.microseconds)
      $0.bind(7, identity.deviceKey)
      $0.bind(8, change.modified.origin.request.value)
      if let old { $0.bind(9, old) } else { $0.bindNull(9) }
      if let new { $0.bind(10, new) } else { $0.bindNull(10) }
      $0.bind(11, targets.packed)
    }
  }

  /// Returns the encoded fields of a state that matching subscriptions need, of those whose reason satisfies
  /// `isIncluded`; `nil` if there are none.
  private func fields(
    of state: Change?, where isIncluded: (MatchReason) -> Bool
  ) throws -> [UInt8]? {
    var keys: Set<FieldKey> = []
    for (entry, reason) in matches where reason.map(isIncluded) == true {
      keys.formUnion(entry.fields)
    }
    guard !keys.isEmpty, let state else { return nil }
    let all = try state.record.fields().all
    return EncodedRecord(Fields(sorted: all.filter { keys.contains($0.key) })).bytes
  }

  /// Deactivates the subscriptions that fire once and notify one of these devices.
  private mutating func deactivateFired(_ targets: [NotificationTarget]) throws {
    for (entry, reason) in matches where entry.firesOnce && reason != nil {
      guard targets.contains(where: { $0.subscription == entry.key }),
        let version = try transaction.subscriptions.activeVersion(entry.key)
      else { continue }
      let row = SubscriptionTable.ActiveRow(
        key: entry.key, id: version.form.id, owner: version.owner)
      effects.add(try transaction.deactivate([row], as: .fired, of: version.owner))
    }
  }
}

extension RecordState {
  /// Creates the state after a change; `nil` after a deletion.
  fileprivate init?(live change: Change) {
    guard change.kind == .saved else { return nil }
    self.init(system: SystemFields(change), record: change.record)
  }
}

extension [NotificationTarget] {
  /// The distinct devices of targets that are sorted by device.
  fileprivate var distinctReceivers: [StoreKey] {
    var receivers: [StoreKey] = []
    for target in self where receivers.last != target.receiver {
      receivers.append(target.receiver)
    }
    return receivers
  }
}
