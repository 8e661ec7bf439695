// What is done for others when something about a zone changed: they are told, and who can no longer see
// it is cleared of its subscriptions and of what waits for its devices. A zone has a hundred people with
// a thousand subscriptions each, a request names hundreds of zones, and somebody is in a thousand, so
// only so much is done in one transaction. For the rest a row is kept, which says for whom, and not
// what: that is read when it is done, so a row may be done twice, late, or for nothing.

import BrokerCore
import GRDB
import Records
import SQLiteFile

/// The `errand` table.
struct ErrandTable {
  let db: Database

  /// For whom something is to be done.
  struct Errand {
    let zone: StoreKey
    let account: StoreKey
  }

  /// Stands for everybody who is in a zone.
  static let everybody: StoreKey = 0

  /// Keeps an errand.
  func keep(zone: StoreKey, account: StoreKey) throws {
    try db.run("INSERT OR IGNORE INTO errand (zone, account) VALUES (?, ?)", [zone, account])
  }

  /// Keeps an errand for each who is in a zone.
  func expand(zone: StoreKey) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO errand (zone, account)
      SELECT key, owner FROM zone WHERE key = ?1
      UNION SELECT zone, account FROM participant
        WHERE zone = ?1 AND status = \(Participant.Status.accepted.rawValue)
      """, [zone])
  }

  /// An errand, if there is one.
  func any() throws -> Errand? {
    try db.first("SELECT zone, account FROM errand LIMIT 1", []) {
      Errand(zone: $0[0], account: $0[1])
    }
  }

  /// Whether something is to be done for an account.
  func isKept(zone: StoreKey, account: StoreKey) throws -> Bool {
    try db.first("SELECT 1 FROM errand WHERE zone = ? AND account = ?", [zone, account]) { _ in
      true
    } ?? false
  }

  /// It is done.
  func end(zone: StoreKey, account: StoreKey) throws {
    try db.run("DELETE FROM errand WHERE zone = ? AND account = ?", [zone, account])
  }

  /// What clearing an account of a zone costs: its subscriptions there, of which no more are counted
  /// than `most` and one, and what waits for its devices and is looked through, ten at the price of one.
  func costOfClearing(
    zone: StoreKey, of owner: SubscriptionBook.Owner, most: Int
  ) throws -> Int {
    try db.first(
      """
      SELECT (SELECT count(*) FROM (SELECT 1 FROM subscription
          WHERE container = ?2 AND account = ?3 AND state = 0 AND +zone = ?1 LIMIT ?4))
        + (SELECT coalesce(sum(waiting), 0) / 10 FROM receiver WHERE container = ?2 AND account = ?3)
      """, [zone, owner.container, owner.account, max(0, most) + 1]
    ) { $0[0] } ?? 0
  }
}

extension SQLiteTransaction {
  var errands: ErrandTable { ErrandTable(db: db) }

  /// Tells everybody who is in a zone, the owner first; now, or where that is too much, soon.
  func tellEverybody(
    in zone: StoreKey, owner: StoreKey?, container: StoreKey
  ) throws -> CommitEffects {
    let accounts = [owner].compactMap { $0 } + (try participants.members(of: zone).map(\.key))
    guard memory.errandRoom < accounts.count else {
      return try tell(accounts, of: zone, container: container)
    }
    try errands.keep(zone: zone, account: ErrandTable.everybody)
    var effects = CommitEffects()
    effects.leavesErrands = true
    return effects
  }

  /// Tells accounts that something about a zone changed; now, or where that is too much, soon.
  func tell(
    _ accounts: [StoreKey], of zone: StoreKey, container: StoreKey
  ) throws -> CommitEffects {
    var effects = CommitEffects()
    for account in accounts {
      guard memory.errandRoom > 0 else {
        try errands.keep(zone: zone, account: account)
        effects.leavesErrands = true
        continue
      }
      memory.errandRoom -= 1
      effects.directories.append(
        try directories.commit(zone: zone, container: container, account: account))
    }
    return effects
  }

  /// Clears an account of a zone that it can no longer see, and tells it; now, or where that is too
  /// much, soon. It can read nothing of the zone from now on either way.
  func dismiss(
    _ account: StoreKey, from zone: StoreKey, container: StoreKey
  ) throws -> CommitEffects {
    let owner = SubscriptionBook.Owner(container: container, account: account)
    let cost = try errands.costOfClearing(zone: zone, of: owner, most: memory.errandRoom) + 1
    guard cost <= memory.errandRoom else {
      try errands.keep(zone: zone, account: account)
      var effects = CommitEffects()
      effects.leavesErrands = true
      return effects
    }
    memory.errandRoom -= cost
    var effects = try clear(owner, of: zone)
    effects.directories.append(
      try directories.commit(zone: zone, container: container, account: account))
    return effects
  }

  /// Somebody comes into a zone: what was left of an earlier time goes first, so that it is not taken
  /// for something of now. At most what one account can have in one zone.
  func welcome(_ account: StoreKey, to zone: StoreKey, container: StoreKey) throws -> CommitEffects
  {
    guard try errands.isKept(zone: zone, account: account) else { return CommitEffects() }
    return try clear(SubscriptionBook.Owner(container: container, account: account), of: zone)
  }

  private func clear(
    _ owner: SubscriptionBook.Owner, of zone: StoreKey
  ) throws -> CommitEffects {
    var effects = try deleteSubscriptions(ofZone: zone, of: owner)
    effects.add(try dropNotifications(of: owner, from: zone))
    return effects
  }

  /// What waits for an account's devices goes; an owner is still told what became of its own zone.
  private func dropNotifications(
    of owner: SubscriptionBook.Owner, from zone: StoreKey
  ) throws -> CommitEffects {
    let isOwn = try db.first(
      "SELECT 1 FROM zone WHERE key = ? AND owner = ?", [zone, owner.account]
    ) { _ in true }
    guard isOwn == nil else { return CommitEffects() }
    return try dropNotifications(
      ofZone: zone, account: owner.account, container: owner.container)
  }

  // MARK: Steps

  func runErrands() throws -> CommitEffects {
    var effects = CommitEffects()
    memory.errandRoom = BrokerLimits.errandsPerStep
    while memory.errandRoom > 0, let errand = try errands.any() {
      effects.add(try run(errand))
    }
    effects.leavesErrands = try errands.any() != nil
    return effects
  }

  /// Does one errand, or as much of it as there is room for: then it stays.
  private func run(_ errand: ErrandTable.Errand) throws -> CommitEffects {
    let container = try db.first("SELECT container FROM zone WHERE key = ?", [errand.zone]) {
      $0[0] as StoreKey
    }
    guard let container, let zone = try zones.zone(at: errand.zone, container: container),
      errand.account != ErrandTable.everybody
    else {
      memory.errandRoom -= 1
      if container != nil { try errands.expand(zone: errand.zone) }
      try errands.end(zone: errand.zone, account: errand.account)
      return CommitEffects()
    }
    var effects = CommitEffects()
    if try !maySee(zone, errand.account) {
      let owner = SubscriptionBook.Owner(container: container, account: errand.account)
      let rest = try errands.costOfClearing(zone: errand.zone, of: owner, most: memory.errandRoom)
      effects = try deleteSubscriptions(
        ofZone: errand.zone, of: owner, rowsMaximum: memory.errandRoom)
      memory.errandRoom -= rest
      guard memory.errandRoom >= 0 || effects.directories.isEmpty else { return effects }
      effects.add(try dropNotifications(of: owner, from: errand.zone))
    }
    memory.errandRoom -= 1
    try errands.end(zone: errand.zone, account: errand.account)
    effects.directories.append(
      try directories.commit(
        zone: errand.zone, container: container, account: errand.account))
    return effects
  }

  private func maySee(_ zone: StoredZone, _ account: StoreKey) throws -> Bool {
    guard let key = zone.key, !zone.isDeleted else { return false }
    if try accounts.account(zone.id.owner)?.key == account { return true }
    return try participants.participation(of: account, in: key)?.status == .accepted
  }
}
