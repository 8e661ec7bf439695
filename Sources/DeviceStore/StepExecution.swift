// Performs the steps of the sync machine: changes of the store at once, in the order in which they were decided, and
// actions of the driver once the transaction is committed.

import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

/// The execution of steps in one transaction.
struct StepExecution {
  private let transaction: DeviceTransaction
  private(set) var machine: SyncMachine
  private(set) var generator: AnyRandomNumberGenerator
  /// The actions for the driver.
  private(set) var actions: [SyncAction] = []
  /// The request that was stored last, which is usually sent next.
  private var built: ModifyRequest?

  init(
    _ transaction: DeviceTransaction, _ machine: SyncMachine, _ generator: AnyRandomNumberGenerator
  ) {
    self.transaction = transaction
    self.machine = machine
    self.generator = generator
  }

  private var db: Database { transaction.db }

  /// Executes steps, in their order.
  mutating func perform(_ steps: [SyncStep]) throws {
    for step in steps {
      switch step {
      case .action(let action): actions.append(.conversation(action))
      case .store(let change): try perform(change)
      }
    }
  }

  /// Processes a message of the broker.
  mutating func receive(_ prepared: PreparedFrame) throws {
    transaction.prepared = prepared.changes
    let frame = prepared.frame
    try perform(machine.received(frame.message, replyTo: frame.replyTo, using: &generator))
  }

  /// Sends and downloads what is possible now, and requests a checkpoint if a caller waits for one.
  mutating func sendMore() throws {
    try buildRequests()
    while machine.looksForUploads,
      let asset = try OutboxEntry.awaited(db, except: machine.assetsNotToOffer)
    {
      try perform(machine.upload(asset))
    }
    try giveBack()
    if try Relocations.areWaiting(db) {
      try perform(machine.awaitTargets(isNew: transaction.hasNewRelocations))
      transaction.hasNewRelocations = false
    }
    if machine.looksForDoubledRecords {
      try perform(machine.lookedForDoubledRecords(areThere: DoubledRecords.mayBeThere(db)))
    }
    if transaction.hasNewWants { machine.wantsChanged() }
    if machine.looksForWants {
      try perform(machine.download(ReplicaAssetTable.wants(db, except: machine.deferredAssets)))
    }
    if machine.isSendingPublicRecords,
      try PublicReadingRun(transaction).isSent(
        except: machine.deferredAssets, isStuck: machine.areUploadsStuck)
    {
      try perform(machine.sentPublicRecords())
    }
    if machine.looksForSubscriptionChanges {
      try perform(
        machine.send(ReplicaSubscriptionTable.pendingChanges(db, device: transaction.device)))
    }
    if machine.holdsNotifications { try release { [machine] in machine.readTo($0) } }
    // Held deletions wait for the user, so callers do not wait for them.
    let isAllSent =
      try db.number(
        """
        SELECT EXISTS (SELECT 1 FROM outbox WHERE held = 0)
          OR EXISTS (SELECT 1 FROM subscription WHERE pending_change IN (1, 2))
        """) == 0
    try perform(machine.settled(isOutboxEmpty: isAllSent))
    if isAllSent, machine.phase == .live, try db.number("SELECT EXISTS (SELECT 1 FROM outbox)") == 0
    {
      try db.run("UPDATE identity SET last_sync = ?", [transaction.now.microseconds])
    }
  }

  /// Builds the next requests. What remains is for the next transaction, so that an edit need not wait for all of it.
  private mutating func buildRequests() throws {
    for _ in 0..<DeviceLimits.requestsPerTransaction where machine.hasRoomForRequest {
      var builder = RequestBuilder(transaction, machine: machine)
      guard let next = try builder.build() else {
        if builder.isUnfinished { continueBuilding() }
        return
      }
      built = next.request
      for group in next.request.groups where group.deletesZone {
        try perform(machine.abandon(group.zone))
      }
      try perform(machine.froze(byteCount: next.byteCount))
    }
    if machine.hasRoomForRequest { continueBuilding() }
  }

  private mutating func continueBuilding() {
    actions.append(.conversation(.wait(.outbox, milliseconds: 1)))
  }

  /// Sends the files that the broker has lost and this device has. Only files of records on this device count, so that
  /// the broker cannot find out about others.
  private mutating func giveBack() throws {
    if machine.mayAskForWanted, try ReplicaAssetTable.isAnyHere(db) {
      try perform(machine.askForWanted())
    }
    while let asset = machine.nextWanted() {
      guard try ReplicaAssetTable.isNamedHere(asset, db) else { continue }
      try perform(machine.giveBack(asset))
    }
    try perform(machine.lookedAtWanted())
  }

  private mutating func perform(_ step: StoreStep) throws {
    switch step {
    case .sendRequest(let id, let number): try send(number, id: id)
    case .storeWelcome(let welcome): try keep(welcome)
    case .renumber(let number): try IdentityTable.renumber(db, after: number)
    case .takeNewIdentity: try takeNewIdentity()
    case .storeOutcome(let outcome): try keep(outcome)
    case .unfreeze(let number, let error): try unfreeze(from: number, because: error)
    case .storeDirectory(let page, let isWhole):
      let wereReported = try ReplicaSubscriptionTable.reportPublicRecords(db, transaction.rules)
      var application = DirectoryApplication(transaction)
      try application.apply(page, isWhole: isWhole)
      try tell(application.news)
      for zone in application.zonesTakenBack { try perform(machine.takeBack(zone)) }
      try removeParticipantsAgain()
      try keep(page.devices)
      actions.append(.directoryChanged)
      try refreshPublicRecords(ifReportedSince: wereReported)
    case .storeHistory(let record, let page):
      try FetchedHistory.store(page, of: record, transaction)
    case .storeTrash(let zone, let page):
      try FetchedHistory.store(page, of: zone, transaction)
    case .storeChanges(let changes, let token):
      try inZone(changes.zone) { try $0.apply(changes, token: token) }
    case .reachLevel(let zone, let token, let sweep, let former):
      try inZone(zone) { try $0.level(token: token, sweep: sweep, former: former) }
    case .reread(let zone, let sweep): try inZone(zone) { try $0.reread(sweep: sweep) }
    case .dropZone(let zone, let error):
      guard let row = try ZoneRow.load(db, zone) else { return }
      try tell(ZoneLoss.lose(row, because: error, transaction))
    case .recreateZone(let zone): try remake(zone)
    case .assetHeld(let digest): try OutboxEntry.endWait(for: digest, db)
    case .sendMore: break
    case .subscriptionAccepted(let change):
      try ReplicaSubscriptionTable.confirm(change, db)
      guard transaction.rules.ownSubscriptionIDs.contains(change.id) else { return }
      try refreshPublicRecords(ifReportedSince: false)
    case .subscriptionRejected(let change, let error):
      try ReplicaSubscriptionTable.refuse(change, because: error, transaction)
      actions.append(.report("The broker rejected a subscription: \(error.logText)."))
    case .giveUpTargets:
      try Relocations(transaction).giveUp()
      try DoubledRecords(transaction).merge()
    case .storeNotifications(let page):
      var table = try NotificationTable(transaction)
      try table.keep(page)
      try perform(machine.keptNotifications(through: table.position, count: table.kept))
    case .releaseNotifications: try release(readTo: nil)
    case .markPublicRecords: try PublicReadingRun(transaction).mark()
    case .notePublicHistory(let history): try PublicReadingRun(transaction).note(history)
    case .storeFound(let changes): try inPublicDatabase { try $0.keep(changes) }
    case .storeFetched(let states, let isOfRun):
      try inPublicDatabase { try $0.keep(states, isOfRun: isOfRun) }
    case .skipPublicRecords(let names):
      try PublicReadingRun(transaction).pass(names)
      actions.append(.report("\(names.count) records cannot be had from the broker now."))
    case .findMissing:
      let missing = try PublicReadingRun(transaction).missing()
      try perform(machine.fetchMissing(missing, using: &generator))
    case .endPublicReading(let keepsDeletions):
      try PublicReadingRun(transaction).end(keepsDeletions: keepsDeletions)
    case .rejectAsset(let digest, let error):
      try AssetRefusal.refuse(digest, because: error, transaction)
    case .giveUpAsset(let want): try ReplicaAssetTable.giveUp(want, db)
    }
  }

  /// Stores devices of the directory. If another device renamed this one, it uses the new name.
  private mutating func keep(_ devices: [DirectoryDevice]) throws {
    guard !devices.isEmpty else { return }
    try ReplicaDeviceTable.keep(devices, db)
    if let name = devices.first(where: { $0.id == transaction.device })?.name,
      name != machine.deviceName
    {
      try SettingTable.set(db, SettingTable.deviceName, to: name)
      machine.rename(device: name)
    }
    try removeAgain()
  }

  /// Requests the removal of devices that a restored broker lists again. No caller waits for the answer: until the
  /// directory confirms the removal, each connection repeats the request.
  private mutating func removeAgain() throws {
    for device in try ReplicaDeviceTable.reappeared(db) {
      try perform(machine.give(.device(DeviceRequest(.remove, device)), id: 0))
    }
  }

  /// Requests the removal of participants that a restored broker lists again. Nobody waits for the answer: until the
  /// directory confirms the removal, each page of it repeats the request.
  private mutating func removeParticipantsAgain() throws {
    for (zone, account) in transaction.removedAgain {
      try perform(machine.give(.share(.removeParticipant(zone, account)), id: 0))
    }
    transaction.removedAgain = []
  }

  /// Reads the public database again when the broker begins to report its changes: earlier ones were not reported.
  private mutating func refreshPublicRecords(ifReportedSince wereReported: Bool) throws {
    guard !wereReported, try ReplicaSubscriptionTable.reportPublicRecords(db, transaction.rules)
    else {
      return
    }
    try perform(machine.refreshPublicRecords())
  }

  /// Adds news of shared groups to the notifications. They are delivered at once, unless an earlier notification waits for
  /// its record.
  private mutating func tell(_ news: [SharingNews]) throws {
    guard !news.isEmpty else { return }
    var table = try NotificationTable(transaction)
    for one in news { try table.add(one) }
    if !machine.holdsNotifications { try release(readTo: nil) }
  }

  private mutating func release(readTo: ((ZoneID) -> Revision?)?) throws {
    var table = try NotificationTable(transaction)
    let (count, isAll) = try table.release(readTo: readTo)
    machine.releasedNotifications(isAll: isAll)
    if count > 0 { actions.append(.notified(count: count)) }
  }

  private mutating func inPublicDatabase(_ body: (inout PublicReadingRun) throws -> Void) throws {
    var run = PublicReadingRun(transaction)
    try body(&run)
    if run.unreadable > 0 {
      actions.append(
        .report("\(run.unreadable) records could not be read; update this program."))
    }
    if run.requeued > 0 {
      actions.append(
        .report("The broker had lost \(run.requeued) public records; this device sends them again.")
      )
    }
  }

  private mutating func inZone(
    _ zone: ZoneID, _ body: (inout FeedApplication) throws -> Void
  ) throws {
    let isLevel = machine.isLevel(zone)
    guard var application = try FeedApplication(transaction, zone: zone, isLevel: isLevel)
    else { return }
    try body(&application)
    if application.unreadable > 0 {
      actions.append(
        .report("\(application.unreadable) records could not be read; update this program."))
    }
    if application.requeued > 0 {
      actions.append(
        .report(
          "The broker had lost \(application.requeued) records; this device sends them again."))
    }
  }

  private mutating func remake(_ zone: ZoneID) throws {
    guard let row = try ZoneRow.load(db, zone) else { return }
    let count = try ZoneRecreation.recreate(row, transaction)
    actions.append(
      .report("The broker had lost a zone; this device sends it again (\(count) records)."))
  }

  private mutating func send(_ number: RequestNumber, id: UInt64) throws {
    if let built, built.number == number {
      return actions.append(.conversation(.send(id: id, .modify(built))))
    }
    guard let row = try db.row("SELECT bytes FROM request WHERE number = ?", [number.value]) else {
      throw StoreError(.damaged, "A request that is under way is not in the database.")
    }
    let request = try ModifyRequest(encoded: [UInt8](row["bytes"] as Data))
    actions.append(.conversation(.send(id: id, .modify(request))))
  }

  private mutating func keep(_ welcome: Welcome) throws {
    let isNew = welcome.account != transaction.account
    transaction.keep(account: welcome.account, device: welcome.device)
    try db.run(
      """
      UPDATE identity SET account = ?, account_name = ?, device = ?,
        former_device = NULL, former_key = NULL
      """, [welcome.account.column, welcome.accountName, welcome.device.column])
    if isNew {
      for projection in transaction.application.projections { try projection.identify(db) }
    }
    try Rewind(db: db).begin(at: welcome.rewoundAt)
    try db.run("UPDATE asset_state SET size_limit = ?", [welcome.assetBytes])
    try removeAgain()
  }

  private mutating func takeNewIdentity() throws {
    if let device = transaction.device { try ReplicaSubscriptionTable.renew(ofFormer: device, db) }
    let key = IdentityTable.newKey(using: &generator)
    let former = machine.identity.former
    try db.run(
      """
      UPDATE identity SET device = NULL, device_key = ?, former_device = ?, former_key = ?
      """, [Data(key), former?.device.column, former.map { Data($0.key) }])
    try EventLog.renew(db, using: &generator)
    machine.tookIdentity(key: key)
  }

  private mutating func keep(_ outcome: ModifyOutcome) throws {
    var application = OutcomeApplication(transaction, outcome, machine: machine)
    try application.apply()
    if application.unstored > 0 {
      actions.append(
        .report(
          "The outcomes of \(application.unstored) edits could not be stored. Check this device."))
    }
    for zone in application.zonesTakenBack { try perform(machine.takeBack(zone)) }
    try tell(application.news)
    for zone in application.zonesMade { try perform(machine.follow(zone)) }
    for zone in application.zonesDoubted.sorted() { try perform(machine.doubt(zone)) }
  }

  /// The broker rejects these requests. Their edits are pending again. Each group of the first request is sent alone
  /// next, which finds the rejected one. It is rejected if it was alone.
  private func unfreeze(from number: RequestNumber, because error: RecordsError) throws {
    let entries = try OutboxEntry.load(db, where: "number >= ? ORDER BY id", [number.value])
    let first = entries.filter { $0.number == number }
    let isFound = Set(first.map(\.groupIndex)).count == 1
    for entry in entries {
      guard let zone = try ZoneRow.load(db, key: entry.zone) else {
        try entry.remove(transaction)
        continue
      }
      let row = try entry.name.flatMap { try RecordRow.load(db, zone: entry.zone, name: $0) }
      let isFirst = entry.number == number
      try returnToOutbox(entry, row, zone, isFirst: isFirst, isFound: isFound, error)
    }
    try db.run("DELETE FROM request WHERE number >= ?", [number.value])
    try db.run("UPDATE identity SET last_number = ?", [number.value - 1])
  }

  private func returnToOutbox(
    _ entry: OutboxEntry, _ row: RecordRow?, _ zone: ZoneRow, isFirst: Bool, isFound: Bool,
    _ error: RecordsError
  ) throws {
    let ending = EntryResolution(transaction, zone: zone)
    if isFirst, isFound { return try ending.refuse(entry, row, because: error) }
    var entry = entry
    entry.isAlone = isFirst
    try entry.returnToOutbox(transaction)
    guard var row else { return }
    let held = row.layers.held
    let before = row.layers
    let found = row.layers.returnedToOutbox()
    let conflicts = row.layers.left(of: found, in: zone.zone)
    try Relocations(transaction).follow(&row, from: before, in: zone)
    try row.store(
      in: transaction, zone: zone, by: transaction.author(of: row.layers, held: held))
    try ending.settle(row.layers, conflicts: conflicts)
  }
}

extension OperationGroup {
  /// Whether the zone is deleted. Its records may have left it before, so that the machine followed it until now.
  fileprivate var deletesZone: Bool {
    operations.contains { if case .deleteZone = $0 { true } else { false } }
  }
}

extension [SyncStep] {
  /// The actions among the steps.
  var actions: [SyncAction] {
    compactMap { if case .action(let action) = $0 { .conversation(action) } else { nil } }
  }
}
