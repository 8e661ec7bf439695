// What is done about notifications a moment after they were told. Those that everybody has go. What
// is left concerns devices that are not here: it moves to rows of their own, so that nobody has to
// look through it, and beyond a device's bound it is folded. A step does a bounded amount of this
// between two commits.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// One step of sweeping, or one device's acknowledgement.
struct NotificationSweeping {
  let db: Database
  /// When those who are heard are heard; `nil` where nobody can be.
  let now: Timestamp?
  private var rights: ReceiverRights
  private var known: [StoreKey: ReceiverTable.Receiver] = [:]
  private var changed: [StoreKey: Bool] = [:]
  private var forms: [StoreKey: SubscriptionForm?] = [:]
  private var movesLeft = BrokerLimits.entriesMovedPerStep
  private(set) var result = SweptNotifications()

  init(db: Database, memory: WriterMemory, now: Timestamp?) {
    self.db = db
    self.now = now
    rights = ReceiverRights(db: db, memory: memory)
  }

  var receivers: ReceiverTable { ReceiverTable(db: db) }
  var folds: FoldTable { FoldTable(db: db) }

  /// Carries out a step.
  mutating func sweep(_ sweep: NotificationSweep) throws -> SweptNotifications {
    for (receiver, number) in sweep.acknowledged.sorted(by: { $0.key < $1.key }) {
      try acknowledge(receiver, through: number)
    }
    for (receiver, number) in sweep.passed.sorted(by: { $0.key < $1.key }) {
      try pass(receiver, through: number)
    }
    try moveOld(through: sweep.through ?? NotificationNumber(.max))
    try finish()
    try forgetWords()
    return result
  }

  /// Writes down what changed of receivers.
  mutating func finish() throws {
    for (key, isHeard) in changed {
      if let receiver = known[key] { try receivers.update(receiver, now: isHeard ? now : nil) }
    }
    changed = [:]
  }

  mutating func receiver(_ key: StoreKey) throws -> ReceiverTable.Receiver? {
    if let receiver = known[key] { return receiver }
    let receiver = try receivers.receiver(key)
    known[key] = receiver
    return receiver
  }

  mutating func set(_ receiver: ReceiverTable.Receiver, isHeard: Bool = false) {
    known[receiver.key] = receiver
    changed[receiver.key] = changed[receiver.key] == true || isHeard
  }

  // MARK: Acknowledging

  /// Notes up to where a device has what it was told.
  mutating func acknowledge(_ key: StoreKey, through number: NotificationNumber) throws {
    guard var receiver = try receiver(key) else { return }
    receiver.acknowledged = max(receiver.acknowledged, number)
    set(receiver, isHeard: true)
    try pass(key, through: number)
  }

  /// Nothing up to a number is kept for a device any more: it has it, or may not read it.
  private mutating func pass(_ key: StoreKey, through number: NotificationNumber) throws {
    guard var receiver = try receiver(key) else { return }
    receiver.position = max(receiver.position, number)
    if receiver.waiting > 0 {
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT number, count(*) FROM waiting WHERE receiver = ? AND number <= ? GROUP BY number
            """), arguments: [key, receiver.position.value])
      for row in rows { receiver.waiting -= try release(row[0], entries: row[1]) }
      try db.run(
        "DELETE FROM waiting WHERE receiver = ? AND number <= ?",
        [key, receiver.position.value])
    }
    try folds.remove(of: key, through: receiver.position)
    try unfold(&receiver)
    set(receiver)
  }

  /// Where there is room again, what comes next is told and not folded.
  mutating func unfold(_ receiver: inout ReceiverTable.Receiver) throws {
    guard receiver.isFolding, receiver.waiting <= BrokerLimits.waitingWhenUnfolded else { return }
    try folds.close(of: receiver.key)
    receiver.isFolding = false
    result.unfolded.append(receiver.key)
  }

  /// A device no longer needs entries of a notification; the last one takes it away.
  func release(_ number: Int64, entries: Int) throws -> Int {
    try db.run(
      "UPDATE notification SET remaining = remaining - ? WHERE number = ?", [entries, number])
    try removeUnneeded(number)
    return entries
  }

  /// Removes a notification that nobody waits for and that nobody has still to be looked for in.
  private func removeUnneeded(_ number: Int64) throws {
    try db.run(
      "DELETE FROM notification WHERE number = ? AND remaining <= 0 AND targets = x''", [number])
  }

  /// Lets go of everything that waits for a device, which is away for too long. When it is back it
  /// is told so.
  mutating func lapse(_ key: StoreKey) throws {
    guard var receiver = try receiver(key) else { return }
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT number, count(*) FROM waiting WHERE receiver = ? GROUP BY number"),
      arguments: [key])
    for row in rows { _ = try release(row[0], entries: row[1]) }
    try db.run("DELETE FROM waiting WHERE receiver = ?", [key])
    try db.run("DELETE FROM fold WHERE receiver = ?", [key])
    (receiver.waiting, receiver.isFolding, receiver.isLapsed) = (0, false, true)
    set(receiver)
  }

  // MARK: Moving

  /// The rows of changes that are read together: each lists everybody it concerns.
  private static let rowsTogether = 64

  /// Takes up notifications that were told a while ago, the oldest first.
  private mutating func moveOld(through number: NotificationNumber) throws {
    var swept = try db.first("SELECT swept FROM notification_head", []) { $0[0] as Int64 } ?? 0
    let start = swept
    while swept < number.value, !result.isMore {
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT number, zone, revision, targets FROM notification
            WHERE number > ? AND number <= ? ORDER BY number LIMIT \(Self.rowsTogether)
            """), arguments: [swept, number.value])
      for row in rows where movesLeft > 0 {
        movesLeft -= 1
        let isWhole = try move(
          NotificationNumber(row[0]),
          FoldTable.Mark(zone: row[1], beforeChangeAt: row[2]),
          TargetReader([UInt8](row[3] as Data)))
        if isWhole { swept = row[0] }
      }
      result.isMore = movesLeft <= 0
      guard rows.count == Self.rowsTogether else { break }
    }
    guard swept > start else { return }
    try db.run("UPDATE notification_head SET swept = ?", [swept])
  }

  /// Moves the entries of devices that have not acknowledged. Returns whether that was all; where a
  /// step's worth is done, the rest stays in the list.
  private mutating func move(
    _ number: NotificationNumber, _ mark: FoldTable.Mark, _ targets: TargetReader
  ) throws -> Bool {
    var targets = targets
    var rest: [NotificationTarget] = []
    var moved = 0
    var last: StoreKey?
    while let target = try targets.next() {
      if !rest.isEmpty || (movesLeft <= 0 && last != target.receiver) {
        rest.append(target)
        continue
      }
      last = target.receiver
      if try move(target, of: number, mark) { moved += 1 }
    }
    try db.run(
      "UPDATE notification SET remaining = remaining + ?, targets = ? WHERE number = ?",
      [moved, Data(rest.packed), number.value])
    try removeUnneeded(number.value)
    return rest.isEmpty
  }

  /// Moves one entry. Returns whether it waits in a row of its own now.
  private mutating func move(
    _ target: NotificationTarget, of number: NotificationNumber, _ mark: FoldTable.Mark
  ) throws -> Bool {
    guard var receiver = try receiver(target.receiver), receiver.position < number,
      !receiver.isLapsed, let form = try form(target.subscription),
      // NB: what is not sent is not acknowledged either, and would fill the device's bound for ever.
      try rights.mayRead(mark.zone, receiver.account)
    else { return false }
    movesLeft -= 1
    if form.notification.collapseKey != nil, target.reason != nil {
      try release(target.subscription, in: &receiver)
      try unfold(&receiver)
    }
    guard let reason = target.reason, !receiver.isFolding,
      receiver.waiting < Limits.waitingNotifications
    else {
      receiver.isFolding = true
      set(receiver)
      try fold(number, of: form.id, receiver: target.receiver, mark)
      return false
    }
    try db.run(
      "INSERT INTO waiting (receiver, number, subscription, reason) VALUES (?, ?, ?, ?)",
      [
        target.receiver, number.value, target.subscription, Int64(reason.rawValue),
      ])
    receiver.waiting += 1
    set(receiver)
    return true
  }

  /// The words of a subscription; `nil` where nobody is to hear them any more.
  private mutating func form(_ key: StoreKey) throws -> SubscriptionForm? {
    if let form = forms[key] { return form }
    let form = try SubscriptionTable(db: db).form(key)
    forms[key] = .some(form)
    return form
  }

  /// What waits already for a device in this wording makes room.
  private func release(
    _ subscription: StoreKey, in receiver: inout ReceiverTable.Receiver
  ) throws {
    guard receiver.waiting > 0 else { return }
    let numbers = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT number FROM waiting WHERE receiver = ? AND subscription = ?"),
      arguments: [receiver.key, subscription])
    for number in numbers { receiver.waiting -= try release(number, entries: 1) }
    try db.run(
      "DELETE FROM waiting WHERE receiver = ? AND subscription = ?",
      [receiver.key, subscription])
  }

  private mutating func fold(
    _ number: NotificationNumber, of id: SubscriptionID, receiver: StoreKey,
    _ mark: FoldTable.Mark
  ) throws {
    let isNew = try folds.add(number, of: id, receiver: receiver, mark: mark)
    // Subscriptions that are told once and saved anew under other ids could make any number of folds.
    guard isNew, try folds.count(of: receiver) > Limits.subscriptionsPerAccount else { return }
    try lapse(receiver)
  }

  // MARK: Forgetting

  private mutating func forgetWords() throws {
    let oldest = try db.first("SELECT min(number) FROM notification", []) { $0[0] as Int64? }
    let isMore = try SubscriptionTable(db: db).forgetWords(
      below: (oldest ?? nil).map { NotificationNumber($0) } ?? NotificationNumber(.max),
      rowsMaximum: BrokerLimits.entriesMovedPerStep)
    if isMore { result.isMore = true }
  }
}
