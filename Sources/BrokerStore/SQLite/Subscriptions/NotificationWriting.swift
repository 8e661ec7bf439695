// A change of a record, asked of the subscriptions inside its transaction. What comes of it is one
// row, whomever it concerns, with those fields of the record that any of them speaks of.

import BrokerCore
import Matching
import Predicates
import Records
import SQLiteFile

/// Tells subscriptions of one request's changes.
struct NotificationWriting {
  let transaction: SQLiteTransaction
  let identity: SessionIdentity
  /// What devices have to be told of.
  private(set) var effects = CommitEffects()

  private var told: [(entry: SubscriptionBook.Entry, reason: MatchReason?)] = []

  init(transaction: SQLiteTransaction, identity: SessionIdentity) {
    self.transaction = transaction
    self.identity = identity
  }

  private var memory: WriterMemory { transaction.memory }

  /// Tells of a change from `before` to `change` in a zone with row `key`.
  mutating func tell(
    _ change: Change, over before: Change?, in zone: ZoneID, key: StoreKey
  ) throws {
    try match(change, over: before, in: zone, key: key)
    // Who saves what takes too long to ask pays for it; a predicate of others only misses the record.
    for (entry, reason) in told where reason == nil && entry.account == identity.accountKey {
      let sentence = "The predicate takes too long to ask; it did on record “\(change.name)”."
      if let commit = try transaction.switchOff(entry, because: sentence) {
        effects.directories.append(commit)
      }
    }
    guard !told.isEmpty else { return }
    let targets = try targets()
    guard !targets.isEmpty else { return }
    let number = try memory.nextNotification(in: transaction.db)
    try write(change, over: before, number: number, zone: key, targets)
    try retireThoseToldOnce(targets)
    effects.notified.append(
      NotificationCommit(number: number, receivers: targets.distinctReceivers))
  }

  private mutating func match(
    _ change: Change, over before: Change?, in zone: ZoneID, key: StoreKey
  ) throws {
    told.removeAll(keepingCapacity: true)
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
      told.append(($0, $1))
    } unknown: {
      told.append(($0, nil))
    }
  }

  /// Where those have subscribed who may be told.
  private func scopes(of zone: ZoneID, key: StoreKey) throws -> [SubscriptionScope] {
    if zone.isPublic { return [.publicDatabase] }
    // Rights as they are at this change: who is in the zone in this transaction.
    return try [.zone(zone), .privateDatabase(zone.owner)]
      + transaction.participants.members(of: key).map { .sharedDatabase($0.id) }
  }

  /// Every device that is told, by what. The one that wrote is not, unless it wants to be.
  private func targets() throws -> [NotificationTarget] {
    var targets: [NotificationTarget] = []
    for (entry, reason) in told {
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
    let old = try fields(of: before) { $0.isAboutTheStateBefore }
    let new = try fields(of: change) { !$0.isAboutTheStateBefore }
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

  /// The fields of a state that those told for such a reason speak of; `nil` where there are none.
  private func fields(
    of state: Change?, where isAbout: (MatchReason) -> Bool
  ) throws -> [UInt8]? {
    var keys: Set<FieldKey> = []
    for (entry, reason) in told where reason.map(isAbout) == true {
      keys.formUnion(entry.fields)
    }
    guard !keys.isEmpty, let state else { return nil }
    let all = try state.record.fields().all
    return EncodedRecord(Fields(sorted: all.filter { keys.contains($0.key) })).bytes
  }

  private mutating func retireThoseToldOnce(_ targets: [NotificationTarget]) throws {
    for (entry, reason) in told where entry.firesOnce && reason != nil {
      guard targets.contains(where: { $0.subscription == entry.key }),
        let wording = try transaction.subscriptions.wording(entry.key)
      else { continue }
      effects.add(
        try transaction.retire(
          entry.key, wording.form.id, to: .toldOnce, of: wording.owner))
    }
  }
}

extension RecordState {
  /// The state, if there is a record in it.
  fileprivate init?(live change: Change) {
    guard change.kind == .saved else { return nil }
    self.init(system: SystemFields(change), record: change.record)
  }
}

extension [NotificationTarget] {
  /// The devices of sorted targets, each once.
  fileprivate var distinctReceivers: [StoreKey] {
    var receivers: [StoreKey] = []
    for target in self where receivers.last != target.receiver {
      receivers.append(target.receiver)
    }
    return receivers
  }
}
