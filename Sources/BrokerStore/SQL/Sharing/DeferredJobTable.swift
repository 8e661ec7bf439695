// Directory updates and cleanup that a change of a zone or a share causes for other accounts. A zone has
// up to 100 participants with 1,000 subscriptions each, and one request may change hundreds of zones. A
// transaction therefore does a bounded amount of this work and stores a job for the rest.
//
// A job names a zone and an account. What the account needs is determined when the job runs, so a job may
// run twice, late, or find nothing to do. Access never depends on a pending job.

import BrokerCore
import Records
import SQLConnections

/// The `deferred_job` table: deferred jobs, one for each zone and account.
struct DeferredJobTable {
  let db: any SQLConnection

  struct Job {
    let zone: StoreKey
    let account: StoreKey
  }

  /// In place of an account: the owner and all participants of the zone.
  static let allMembers: StoreKey = 0

  /// Stores a job, unless the same one is pending.
  func insert(zone: StoreKey, account: StoreKey) throws {
    try db.run(
      "INSERT INTO deferred_job (zone, account) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [zone, account])
  }

  /// Stores a job for the owner and one for each participant of a zone.
  func insertForEachMember(of zone: StoreKey) throws {
    try db.run(
      """
      INSERT INTO deferred_job (zone, account)
      SELECT key, owner FROM zone WHERE key = ?1
      UNION SELECT zone, account FROM participant
        WHERE zone = ?1 AND status = \(Participant.Status.accepted.rawValue)
      ON CONFLICT DO NOTHING
      """, [zone])
  }

  /// Returns any pending job; jobs have no order.
  func next() throws -> Job? {
    try db.first("SELECT zone, account FROM deferred_job LIMIT 1", []) {
      Job(zone: $0[0], account: $0[1])
    }
  }

  /// Whether a job for this zone and account is pending.
  func contains(zone: StoreKey, account: StoreKey) throws -> Bool {
    let sql = "SELECT 1 FROM deferred_job WHERE zone = ? AND account = ?"
    return try db.first(sql, [zone, account]) { _ in true } ?? false
  }

  func delete(zone: StoreKey, account: StoreKey) throws {
    try db.run("DELETE FROM deferred_job WHERE zone = ? AND account = ?", [zone, account])
  }

  /// Returns the units of work to delete an account's subscriptions and notifications for a zone: one for
  /// each subscription that names the zone, and one for every ten pending notifications of the account, all
  /// of which are examined. Counting the subscriptions stops at `maximum` + 1.
  func cleanupCost(
    zone: StoreKey, of owner: SubscriptionBook.Owner, maximum: Int
  ) throws -> Int {
    try db.first(
      """
      SELECT (SELECT count(*) FROM (SELECT 1 FROM subscription
          WHERE container = ?2 AND account = ?3 AND state = 0 AND +zone = ?1 LIMIT ?4) AS entry)
        + (SELECT CAST(coalesce(sum(waiting), 0) AS bigint) / 10 FROM receiver WHERE container = ?2 AND account = ?3)
      """, [zone, owner.container, owner.account, max(0, maximum) + 1]
    ) { $0[0] } ?? 0
  }
}

extension SQLTransaction {
  var deferredJobs: DeferredJobTable { DeferredJobTable(db: db) }

  /// Updates a zone's entry in the directories of its owner and participants, the owner first. If that
  /// exceeds the transaction's budget, stores a job instead.
  func updateMemberDirectories(
    in zone: StoreKey, owner: StoreKey?, container: StoreKey
  ) throws -> CommitEffects {
    let accounts = [owner].compactMap { $0 } + (try participants.members(of: zone).map(\.key))
    guard memory.jobUnitsLeft < accounts.count else {
      return try updateDirectories(of: accounts, zone: zone, container: container)
    }
    try deferredJobs.insert(zone: zone, account: DeferredJobTable.allMembers)
    var effects = CommitEffects()
    effects.jobs.insert(.directoryUpdates)
    return effects
  }

  /// Updates a zone's entry in the directories of some accounts. Stores jobs for the accounts beyond the
  /// transaction's budget.
  func updateDirectories(
    of accounts: [StoreKey], zone: StoreKey, container: StoreKey
  ) throws -> CommitEffects {
    var effects = CommitEffects()
    for account in accounts {
      guard memory.jobUnitsLeft > 0 else {
        try deferredJobs.insert(zone: zone, account: account)
        effects.jobs.insert(.directoryUpdates)
        continue
      }
      memory.jobUnitsLeft -= 1
      effects.directories.append(
        try directories.commit(zone: zone, container: container, account: account))
    }
    return effects
  }

  /// Deletes the subscriptions and pending notifications of an account that lost access to a zone, and
  /// updates its directory. If that exceeds the transaction's budget, stores a job instead; the account
  /// cannot read the zone in either case.
  func cleanUp(
    _ account: StoreKey, afterLosing zone: StoreKey, container: StoreKey
  ) throws -> CommitEffects {
    let owner = SubscriptionBook.Owner(container: container, account: account)
    let cost =
      try deferredJobs.cleanupCost(zone: zone, of: owner, maximum: memory.jobUnitsLeft) + 1
    guard cost <= memory.jobUnitsLeft else {
      try deferredJobs.insert(zone: zone, account: account)
      var effects = CommitEffects()
      effects.jobs.insert(.directoryUpdates)
      return effects
    }
    memory.jobUnitsLeft -= cost
    var effects = try deleteSubscriptionsAndNotifications(of: owner, zone: zone)
    effects.directories.append(
      try directories.commit(zone: zone, container: container, account: account))
    return effects
  }

  /// Deletes the subscriptions and notifications that an earlier participation of an account left in a zone,
  /// if a job for them is pending. They must not be attributed to the new participation. The cost is bounded
  /// by the subscriptions and pending notifications of one account.
  func finishCleanUp(
    of account: StoreKey, joining zone: StoreKey, container: StoreKey
  ) throws -> CommitEffects {
    guard try deferredJobs.contains(zone: zone, account: account) else { return CommitEffects() }
    return try deleteSubscriptionsAndNotifications(
      of: SubscriptionBook.Owner(container: container, account: account), zone: zone)
  }

  private func deleteSubscriptionsAndNotifications(
    of owner: SubscriptionBook.Owner, zone: StoreKey
  ) throws -> CommitEffects {
    var effects = try deleteSubscriptions(ofZone: zone, of: owner)
    effects.add(try deleteNotifications(of: owner, from: zone))
    return effects
  }

  /// Deletes an account's pending notifications about a zone. Those of the zone's owner remain: it is
  /// still notified of what happened in its own zone.
  private func deleteNotifications(
    of owner: SubscriptionBook.Owner, from zone: StoreKey
  ) throws -> CommitEffects {
    let isOwn = try db.first(
      "SELECT 1 FROM zone WHERE key = ? AND owner = ?", [zone, owner.account]
    ) { _ in true }
    guard isOwn == nil else { return CommitEffects() }
    return try deletePendingNotifications(
      ofZone: zone, account: owner.account, container: owner.container)
  }

  // MARK: Steps

  func updateDirectories() throws -> CommitEffects {
    var effects = CommitEffects()
    memory.jobUnitsLeft = BrokerLimits.deferredJobsPerStep
    while memory.jobUnitsLeft > 0, let job = try deferredJobs.next() {
      effects.add(try run(job))
    }
    if try deferredJobs.next() != nil { effects.jobs.insert(.directoryUpdates) }
    return effects
  }

  /// Runs one job. A job that exceeds the step's budget is done in part and remains pending.
  private func run(_ job: DeferredJobTable.Job) throws -> CommitEffects {
    let container = try db.first("SELECT container FROM zone WHERE key = ?", [job.zone]) {
      $0[0] as StoreKey
    }
    guard let container, let zone = try zones.zone(at: job.zone, container: container),
      job.account != DeferredJobTable.allMembers
    else {
      memory.jobUnitsLeft -= 1
      if container != nil { try deferredJobs.insertForEachMember(of: job.zone) }
      try deferredJobs.delete(zone: job.zone, account: job.account)
      return CommitEffects()
    }
    var effects = CommitEffects()
    if try !canSee(zone, job.account) {
      let owner = SubscriptionBook.Owner(container: container, account: job.account)
      let cost = try deferredJobs.cleanupCost(
        zone: job.zone, of: owner, maximum: memory.jobUnitsLeft)
      effects = try deleteSubscriptions(
        ofZone: job.zone, of: owner, rowsMaximum: memory.jobUnitsLeft)
      memory.jobUnitsLeft -= cost
      guard memory.jobUnitsLeft >= 0 || effects.directories.isEmpty else { return effects }
      effects.add(try deleteNotifications(of: owner, from: job.zone))
    }
    memory.jobUnitsLeft -= 1
    try deferredJobs.delete(zone: job.zone, account: job.account)
    effects.directories.append(
      try directories.commit(zone: job.zone, container: container, account: job.account))
    return effects
  }

  private func canSee(_ zone: StoredZone, _ account: StoreKey) throws -> Bool {
    guard let key = zone.key, !zone.isDeleted else { return false }
    if try accounts.account(zone.id.owner)?.key == account { return true }
    return try participants.participation(of: account, in: key)?.status == .accepted
  }
}
