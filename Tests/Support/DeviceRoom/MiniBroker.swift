// A broker of one account in a few lines, for the tests of a replica: zones with revisions, tags,
// atomic groups, outcomes by number, a directory and a feed. The real one meets the same replicas in
// the simulation.

import Records

/// A broker in memory that answers at once.
package final class MiniBroker {
  package private(set) var account = AccountID(0xACC)
  package internal(set) var zones: [ZoneID: Zone] = [:]
  package private(set) var directory = Revision.zero
  /// The last rewind.
  private var rewoundAt = Revision.zero
  /// Who has read the directory up to less reads all of it.
  private var wholeFrom = Revision.zero
  /// How many histories have begun.
  private var histories: UInt128 = 0
  /// The key of the last greeting.
  package private(set) var lastKey: [UInt8] = []
  /// The former device that the last greeting named.
  package private(set) var lastFormerDevice: FormerDevice?
  package private(set) var outcomes: [DeviceID: [ModifyOutcome]] = [:]
  /// The requests in the order they came, repeated ones included.
  package private(set) var requests: [ModifyRequest] = []
  /// What to answer instead of carrying a request out, once.
  package var nextRefusal: RecordsError?
  /// The records of each zone that may be deleted with another one.
  private var referring: [ZoneID: Set<RecordName>] = [:]
  /// An error for every group that is made.
  package var zoneRefusal: RecordsError?
  /// Whether requests that were carried out before get no answer.
  package var withholdsOutcomes = false
  /// Zones whose feed sends nothing, so that their subscribers do not catch up.
  package var silentZones: Set<ZoneID> = []
  /// An error for every save of this record that builds on its newest state.
  package var poison: (name: RecordName, error: RecordsError)?
  /// Errors for every save of these records.
  package var refusesAlways: [RecordName: RecordsError] = [:]
  /// Errors for the next save of these records, each once.
  package var refusesOnce: [RecordName: RecordsError] = [:]
  private var nextDevice: UInt128 = 1
  private var following: [DeviceID: Set<ZoneID>] = [:]

  package init() {
    addZone(ZoneID.standard.resolved(for: account), title: "")
    addZone(.public, title: "")
  }

  /// The number of records in a page of a query of the public database.
  package var publicPage = 2
  /// What is said to the next query instead.
  package var queryRefusal: RecordsError?
  /// How many queries came.
  package private(set) var queries = 0
  /// How many questions by name came.
  package private(set) var fetches = 0
  /// Records that its disk did not keep: no query finds them, and a question that names one fails.
  package var damaged: Set<RecordName> = []
  /// How many bytes of records an answer may have.
  package var fetchBytesMaximum = 4 << 20

  /// The standard zone's revision.
  package var head: Revision { zones[ZoneID.standard.resolved(for: account)]?.head ?? .zero }

  /// What a backup holds.
  package struct Backup {
    fileprivate let zones: [ZoneID: Zone]
    fileprivate let directory: Revision
    fileprivate let outcomes: [DeviceID: [ModifyOutcome]]
    fileprivate let rewoundAt: Revision
  }

  package func backup() -> Backup {
    Backup(zones: zones, directory: directory, outcomes: outcomes, rewoundAt: rewoundAt)
  }

  /// Goes back to a backup, in new histories, without the records of its standard zone that were damaged.
  /// - Parameter isRewound: Whether the devices are to go back too.
  package func restore(
    _ backup: Backup, damaged: Set<RecordName> = [], isRewound: Bool = false
  ) {
    (zones, directory, outcomes) = (backup.zones, backup.directory, backup.outcomes)
    // The number of histories is a value that no earlier rewind had.
    rewoundAt = isRewound ? Revision(Int64(histories)) : backup.rewoundAt
    directory = Revision(directory.value + 1000)
    wholeFrom = directory
    for (id, zone) in zones {
      let lost = id == ZoneID.standard.resolved(for: account) ? damaged : []
      damage(lost, in: id)
      histories += 1
      zones[id]?.beginHistory(Incarnation(histories), lostNames: lost)
      zones[id]?.head = Revision(zone.head.value + Lineage.gapMinimum + Int64(histories) << 20)
      noteInDirectory(id)
    }
  }

  /// Loses all data, and starts as a new installation with the same account name.
  package func reinstall() {
    account = AccountID(account.value + 1)
    (zones, directory, outcomes, wholeFrom) = ([:], .zero, [:], .zero)
    addZone(ZoneID.standard.resolved(for: account), title: "")
    addZone(.public, title: "")
  }

  /// Forgets all tombstones, and with them what old tokens would need.
  package func reapTombstones() {
    for (id, zone) in zones {
      zones[id]?.records = zone.records.filter { $0.value.kind == .saved }
      zones[id]?.expiredThrough = zone.head
    }
  }

  /// The subscriptions it has.
  package var subscriptions = MiniSubscriptions()

  /// A subscription fails and is switched off.
  package func switchOff(_ id: SubscriptionID, because error: RecordsError) {
    directory = directory.next
    subscriptions.switchOff(id, because: error, at: directory)
  }

  /// A later version saves a subscription of a kind that nobody here knows.
  package func obscure(_ id: SubscriptionID) {
    directory = directory.next
    subscriptions.obscure(id, at: directory)
  }

  /// The files it has.
  package var assets = MiniAssets()

  /// The requests about devices that it got.
  package private(set) var deviceRequests: [DeviceRequest] = []

  package func outcomeCount(of device: DeviceID) -> Int64 { Int64(outcomes[device]?.count ?? 0) }

  /// The fields of a living record of the standard zone.
  package func fields(_ name: String, in zone: ZoneID = .standard) throws -> Fields? {
    let change = zones[zone.resolved(for: account)]?.records[RecordName(stored: name)]
    return change?.kind == .saved ? try change?.record.fields() : nil
  }

  /// The newest state of a record of the standard zone.
  package func change(_ name: String, in zone: ZoneID = .standard) -> Change? {
    zones[zone.resolved(for: account)]?.records[RecordName(stored: name)]
  }

  /// The living records of a zone.
  package func names(in zone: ZoneID) throws -> Set<String> {
    let records = zones[zone.resolved(for: account)]?.records.values ?? [:].values
    return Set(records.filter { $0.kind == .saved }.map(\.name.text))
  }

  /// Handles a message; returns the answers to its sender and the messages to all devices.
  package func take(
    _ message: ClientMessage, from device: inout DeviceID?
  ) -> (own: [BrokerMessage], toAll: [BrokerMessage]) {
    switch message {
    case .hello(let hello): return (welcome(hello, &device), [])
    case .modify(let request): return modify(request, device)
    case .attach(let positions): return (positions.flatMap(catchUp), [])
    case .zones:
      return ([.directory(page(since: .zero))], [])
    case .checkpoint: return ([.checkpoint], [])
    case .ping: return ([.pong], [])
    case .history: return ([.history(HistoryPage(states: [], isWhole: true))], [])
    case .trash: return ([.trash(TrashPage(items: [], next: nil))], [])
    case .cascaded:
      return ([.cascaded(CascadedPage(items: [], next: nil, goesOn: false))], [])
    case .fetch(let ids):
      return ([fetched(ids)], [])
    case .acknowledge, .detach: return ([], [])
    case .query(let form): return ([found(form)], [])
    case .saveSubscription, .deleteSubscription: return changeSubscription(message)
    case .subscriptions: return ([.subscriptions([], isWhole: true)], [])
    case .followNotifications(let position):
      return (device.map { [subscriptions.follow(from: position, by: $0)] } ?? [], [])
    case .acknowledgeNotifications(let position):
      if let device { subscriptions.acknowledge(position, by: device) }
      return ([], [])
    case .offerAsset, .assetPiece, .fetchAsset, .wantedAssets:
      return ([assets.answer(message)], [])
    case .share, .account: return ([.error(.invalid("There are no others here."))], [])
    case .device(let request):
      deviceRequests.append(request)
      return ([.deviceChanged], [])
    case .connections: return ([.connections([])], [])
    case .administer, .join, .invite: return ([.error(RecordsError(.permissionFailure, "No."))], [])
    }
  }

  private func welcome(_ hello: Hello, _ device: inout DeviceID?) -> [BrokerMessage] {
    let id = hello.device ?? DeviceID(nextDevice)
    if hello.device == nil { nextDevice += 1 }
    device = id
    lastKey = hello.deviceKey
    lastFormerDevice = hello.formerDevice
    subscriptions.meet(id)
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: id,
      lastNumber: RequestNumber(outcomeCount(of: id)), directory: directory,
      heartbeatSeconds: 30, rewoundAt: rewoundAt)
    let isPast = hello.directory > directory
    let news: [BrokerMessage] =
      hello.directory < directory || isPast ? [.directory(page(since: hello.directory))] : []
    return [.welcome(welcome)] + news + hello.zones.flatMap(catchUp)
  }

  private func changeSubscription(
    _ message: ClientMessage
  ) -> (own: [BrokerMessage], toAll: [BrokerMessage]) {
    let before = directory
    let answer = subscriptions.take(message, at: directory.next)
    if case .error = answer { return ([answer], []) }
    directory = directory.next
    return ([answer], [.directory(page(since: before))])
  }

  /// What it has of records, or why one of them or their size stands in the way.
  private func fetched(_ ids: [RecordID]) -> BrokerMessage {
    fetches += 1
    if let id = ids.first(where: { damaged.contains($0.name) }) {
      return .error(
        RecordsError(.internalError, "Damaged.", record: id.name, reason: "damaged"))
    }
    let changes = ids.map { zones[$0.zone.resolved(for: account)]?.records[$0.name] }
    let byteCount = changes.reduce(0) { $0 + ($1?.record.bytes.count ?? 0) }
    guard byteCount <= fetchBytesMaximum else {
      return .error(.limit("Bytes", limit: fetchBytesMaximum, actual: byteCount))
    }
    return .fetched(changes)
  }

  /// A page of the records of a type, by name; the cursor is the last name.
  private func found(_ form: QueryForm) -> BrokerMessage {
    queries += 1
    if let refusal = queryRefusal {
      queryRefusal = nil
      return .error(refusal)
    }
    let last = form.cursor.map { RecordName(stored: String(decoding: $0, as: UTF8.self)) }
    let rest = (zones[.public]?.records.values ?? [:].values).filter { change in
      change.kind == .saved && change.type == form.type && !damaged.contains(change.name)
        && last.map { $0 < change.name } ?? true
    }.sorted { $0.name < $1.name }
    let page = rest.prefix(publicPage)
    return .found(
      FoundPage(
        records: page.map { FoundPage.Found(zone: .public, change: $0) },
        cursor: page.count < rest.count ? page.last.map { Array($0.name.text.utf8) } : nil,
        incarnation: zones[.public]?.incarnation))
  }

  private func page(since known: Revision) -> DirectoryPage {
    let revision = known < wholeFrom || known > directory ? .zero : known
    return DirectoryPage(
      from: revision, to: directory, entries: entries().filter { $0.revision > revision },
      subscriptions: subscriptions.states.values.filter { $0.revision > revision }.map(\.state)
        .filter { revision > .zero || $0.form != nil || $0.failure != nil })
  }

  private func entries() -> [DirectoryEntry] {
    zones.filter { !$0.key.isPublic }.map { id, zone in
      DirectoryEntry(
        revision: zone.revision, zone: id, title: zone.title, role: zone.role,
        isWritable: zone.isWritable, incarnation: zone.incarnation, isDeleted: zone.isDeleted,
        deletion: zone.isRestorable
          ? ZoneDeletion(
            time: Room.now,
            recordCount: zone.records.values.count { $0.kind == .saved }, head: zone.head,
            hasDeletedRecords: zone.records.values.contains {
              $0.kind == .deleted && $0.move == nil && $0.tag > zone.erasedThrough
            }) : nil,
        erasedThrough: zone.erasedThrough, ownerName: zone.ownerName, isShared: zone.isShared,
        ownerDisplayName: zone.ownerDisplayName, members: zone.members, requests: zone.asking,
        titleRevision: zone.titleRevision, restorations: zone.restorations)
    }.sorted { $0.revision < $1.revision }
  }

  private func catchUp(_ position: ZonePosition) -> [BrokerMessage] {
    let id = position.zone.resolved(for: account)
    guard !silentZones.contains(id) else { return [] }
    guard let zone = zones[id], !zone.isDeleted else {
      return [.reset(zone: id, RecordsError(.zoneNotFound, "There is no such zone."))]
    }
    if let token = position.token, token.incarnation != zone.incarnation {
      return [.reset(zone: id, RecordsError(.changeTokenExpired, "Another history."))]
    }
    if let token = position.token, token.isExpired(expiredThrough: zone.expiredThrough) {
      return [.reset(zone: id, RecordsError(.changeTokenExpired, "Expired."))]
    }
    let from = position.token?.revision ?? .zero
    let scanStart = position.token?.scanStart ?? zone.head
    let changes = zone.records.values.filter { change in
      change.tag > from && (change.kind == .saved || change.tag > scanStart)
    }.sorted { $0.tag < $1.tag }
    let page = ZoneChanges(
      zone: id, incarnation: zone.incarnation, from: from, to: zone.head, scanStart: scanStart,
      lineage: zone.lineage, changes: changes)
    let level = BrokerMessage.level(
      zone: id, incarnation: zone.incarnation, head: zone.head, scanStart: scanStart,
      former: zone.presentFormer)
    return from < zone.head ? [.changes(page), level] : [level]
  }

  // MARK: Writing

  private func modify(
    _ request: ModifyRequest, _ device: DeviceID?
  ) -> (own: [BrokerMessage], toAll: [BrokerMessage]) {
    guard let device else { return ([], []) }
    requests.append(request)
    if let refusal = nextRefusal {
      nextRefusal = nil
      return ([.error(refusal)], [])
    }
    let known = outcomes[device] ?? []
    if request.number.value <= known.count {
      guard !withholdsOutcomes else { return ([], []) }
      return ([.outcome(known[Int(request.number.value) - 1])], [])
    }
    let stamp = Stamp(
      time: Room.now,
      origin: Origin(account: account, device: device, request: request.number))
    let heads = zones.mapValues(\.head)
    let before = directory
    let outcome = ModifyOutcome(
      number: request.number, groups: request.groups.map { perform($0, stamp) },
      time: stamp.time)
    outcomes[device, default: []].append(outcome)
    return ([.outcome(outcome)], news(since: heads, directory: before))
  }

  private func news(since heads: [ZoneID: Revision], directory before: Revision) -> [BrokerMessage]
  {
    var messages: [BrokerMessage] = []
    if directory > before {
      messages.append(.directory(page(since: before)))
    }
    for (id, zone) in zones where zone.head > heads[id] ?? .zero {
      let from = heads[id] ?? .zero
      messages.append(
        .changes(
          ZoneChanges(
            zone: id, incarnation: zone.incarnation, from: from, to: zone.head, scanStart: nil,
            changes: zone.records.values.filter { $0.tag > from }.sorted { $0.tag < $1.tag })))
    }
    return messages
  }

  private func perform(_ group: OperationGroup, _ stamp: Stamp) -> [OperationResult] {
    let (zonesBefore, directoryBefore) = (zones, directory)
    let id = group.zone.resolved(for: account)
    var results: [OperationResult] = []
    for (index, operation) in group.operations.enumerated() {
      let result = perform(operation, id, stamp)
      if case .failed = result {
        (zones, directory) = (zonesBefore, directoryBefore)
        return group.operations.indices.map {
          $0 == index
            ? result
            : .failed(RecordsError(.batchRequestFailed, "Another failed."), serverRecord: nil)
        }
      }
      results.append(result)
    }
    return results
  }

  private func perform(_ operation: Operation, _ id: ZoneID, _ stamp: Stamp) -> OperationResult {
    switch operation {
    case .saveZone(let title, let former):
      if let zoneRefusal { return .failed(zoneRefusal, serverRecord: nil) }
      if zones[id] == nil { addZone(id, title: title) }
      let known = zones[id]?.titleRevision ?? .zero
      guard former.map({ $0 > known }) ?? true else { return .zoneSaved }
      zones[id]?.rename(title, at: former)
      noteInDirectory(id)
      return .zoneSaved
    case .restoreZone:
      guard zones[id]?.isRestorable == true else {
        return .failed(
          RecordsError(.zoneNotFound, "Erased.", reason: "zoneErased"), serverRecord: nil)
      }
      histories += 1
      zones[id]?.restore(as: Incarnation(histories))
      noteInDirectory(id)
      return .zoneSaved
    case .emptyTrash(let through):
      if let head = zones[id]?.head, head <= through { zones[id]?.isRestorable = false }
      zones[id]?.erasedThrough = through
      noteInDirectory(id)
      return .trashEmptied
    case .deleteZone(let token, let former):
      let device = stamp.origin.device
      if let unseen = zones[id]?.unseen(by: device, at: token, reading: former), unseen > 0 {
        return .failed(
          RecordsError(
            .constraintViolation, "phone made \(unseen) changes since; nothing was deleted.",
            reason: RecordsError.zoneChangedReason), serverRecord: nil)
      }
      zones[id]?.isDeleted = true
      zones[id]?.isRestorable = true
      noteInDirectory(id)
      return .zoneDeleted
    case .save(let save):
      if let poison, poison.name == save.name, save.tag == living(save.name, id)?.tag {
        return .failed(poison.error, serverRecord: nil)
      }
      if let error = refusesAlways[save.name] ?? refusesOnce.removeValue(forKey: save.name) {
        return .failed(error, serverRecord: nil)
      }
      return self.save(save, id, stamp)
    case .delete(let delete):
      guard let stored = living(delete.name, id) else {
        let tombstone = zones[id]?.records[delete.name]
        guard let move = delete.move, tombstone?.move != move else { return .deleted(tag: nil) }
        guard tombstone?.move == nil else { return changed(delete.name, id) }
        return .deleted(
          tag: write(
            delete.name, tombstone?.type ?? RecordType(stored: "Moved"), .deleted, .empty, id,
            tombstone?.created ?? stamp, stamp, move: move,
            former: tombstone == nil ? delete.former : nil))
      }
      guard delete.tag == stored.tag, zones[id]?.contains(delete.former, of: delete.name) != true
      else {
        return changed(delete.name, id)
      }
      cascade(from: delete.name, id, stamp)
      return .deleted(
        tag: write(
          delete.name, stored.type, .deleted, .empty, id, stored.created, stamp,
          move: delete.move, former: delete.former))
    }
  }

  private func save(_ save: Operation.Save, _ id: ZoneID, _ stamp: Stamp) -> OperationResult {
    guard let zone = zones[id], !zone.isDeleted else {
      return .failed(RecordsError(.zoneNotFound, "There is no such zone."), serverRecord: nil)
    }
    guard zone.isWritable else {
      return .failed(RecordsError(.permissionFailure, "Read it."), serverRecord: nil)
    }
    let stored = living(save.name, id)
    guard save.tag == stored?.tag, !zone.contains(save.former, of: save.name) else {
      return changed(save.name, id)
    }
    let old = (try? stored?.record.fields()) ?? Fields()
    let set = (try? save.fields.fields()) ?? Fields()
    let fields = FieldChanges(set: set, removed: save.removed).applied(to: old)
    return .saved(
      tag: write(
        save.name, save.type, .saved, EncodedRecord(fields), id, stored?.created ?? stamp, stamp,
        former: save.former))
  }

  private func cascade(from name: RecordName, _ id: ZoneID, _ stamp: Stamp) {
    let reference = Value.reference(Reference(record: name, action: .deleteSelf))
    for source in (referring[id] ?? []).sorted() {
      guard let change = living(source, id),
        let fields = try? change.record.fields(),
        fields.all.contains(where: { $0.value == reference })
      else { continue }
      _ = write(change.name, change.type, .deleted, .empty, id, change.created, stamp)
    }
  }

  /// Keeps the names of the records that are deleted with another one. Without them, a deletion reads the whole zone.
  private func noteReferences(of name: RecordName, _ record: EncodedRecord, _ id: ZoneID) {
    let refers = (try? record.fields())?.all.contains { field in
      if case .reference(let reference) = field.value {
        reference.action == .deleteSelf
      } else {
        false
      }
    }
    if refers == true {
      referring[id, default: []].insert(name)
    } else {
      referring[id]?.remove(name)
    }
  }

  private func living(_ name: RecordName, _ id: ZoneID) -> Change? {
    let change = zones[id]?.records[name]
    return change?.kind == .saved ? change : nil
  }

  private func changed(_ name: RecordName, _ id: ZoneID) -> OperationResult {
    .failed(
      RecordsError(.serverRecordChanged, "Changed."), serverRecord: zones[id]?.records[name])
  }

  func write(
    _ name: RecordName, _ type: RecordType, _ kind: Change.Kind, _ record: EncodedRecord,
    _ id: ZoneID, _ created: Stamp, _ modified: Stamp, move: MoveID? = nil,
    former: FormerVersion? = nil
  ) -> Revision {
    let tag = max(zones[id]?.head ?? .zero, former?.versions.newest ?? .zero).next
    zones[id]?.head = tag
    let wasThere = living(name, id) != nil
    let change = Change(
      name: name, tag: tag, kind: kind, type: type, created: created, modified: modified,
      record: record, move: move,
      former: zones[id]?.history.former(former, over: zones[id]?.records[name], at: tag))
    zones[id]?.records[name] = change
    noteReferences(of: name, record, id)
    for over in subscriptions.changed(change, in: id, wasThere: wasThere) {
      directory = directory.next
      _ = subscriptions.take(.deleteSubscription(over), at: directory)
    }
    return tag
  }

  // MARK: Others' zones

  /// Shares a zone of another account with this account, or changes its permission.
  package func share(
    _ id: ZoneID, title: String, owner: String, isWritable: Bool,
    role: DirectoryEntry.Role = .member
  ) {
    if zones[id] == nil { addZone(id, title: title) }
    zones[id]?.role = role
    zones[id]?.ownerName = owner
    zones[id]?.isShared = true
    zones[id]?.isWritable = isWritable
    zones[id]?.isDeleted = false
    noteInDirectory(id)
  }

  /// Sets the participants of a zone and the requests for access to it.
  package func tell(
    _ id: ZoneID, owner: String, members: [ZoneMember], asking: [AccessRequest] = []
  ) {
    zones[id]?.ownerDisplayName = owner
    zones[id]?.members = members
    zones[id]?.asking = asking
    noteInDirectory(id)
  }

  /// The zone is no longer this account's to see.
  /// - Parameter isDeparture: The account left the zone.
  package func take(_ id: ZoneID, isDeparture: Bool = false) {
    zones[id]?.isDeleted = true
    zones[id]?.isShared = !isDeparture
    noteInDirectory(id)
  }

  /// A zone's owner deletes a record, or completes its move.
  package func remove(_ name: String, in id: ZoneID, move: MoveID? = nil) {
    guard let known = living(RecordName(stored: name), id) else { return }
    let stamp = Stamp(
      time: Room.now,
      origin: Origin(account: id.owner, device: DeviceID(0xB0B), request: RequestNumber(1)))
    _ = write(known.name, known.type, .deleted, .empty, id, known.created, stamp, move: move)
  }

  /// Its owner writes a record.
  package func put(_ name: String, _ fields: Fields, type: RecordType, in id: ZoneID) {
    let stamp = Stamp(
      time: Room.now,
      origin: Origin(account: id.owner, device: DeviceID(0xB0B), request: RequestNumber(1)))
    let known = living(RecordName(stored: name), id)
    _ = write(
      RecordName(stored: name), type, .saved, EncodedRecord(fields), id, known?.created ?? stamp,
      stamp)
  }

  /// Its owner writes a record of a form that nobody here can read.
  package func putUnreadable(_ name: String, type: RecordType, in id: ZoneID) {
    let stamp = Stamp(
      time: Room.now,
      origin: Origin(account: id.owner, device: DeviceID(0xB0B), request: RequestNumber(1)))
    _ = write(
      RecordName(stored: name), type, .saved, EncodedRecord(stored: [0xFF]), id, stamp, stamp)
  }

  /// The directory as it stands, as news.
  package var directoryNews: BrokerMessage { .directory(page(since: .zero)) }

  /// What a zone's feed would tell from `revision` on.
  package func news(in id: ZoneID, since revision: Revision) -> [BrokerMessage] {
    news(since: zones.mapValues(\.head).merging([id: revision]) { $1 }, directory: directory)
  }

  private func addZone(_ id: ZoneID, title: String) {
    histories += 1
    zones[id] = Zone(title: title, incarnation: Incarnation(histories), revision: directory)
    noteInDirectory(id)
  }

  private func noteInDirectory(_ id: ZoneID) {
    directory = directory.next
    zones[id]?.revision = directory
  }
}
