// What the sync machine makes of the public database, one sentence at a time.

import Records
import Testing

@testable import SyncCore

@Suite("T5 one run over the timeline at a time")
struct PublicDatabaseSyncTests {
  private var generator = SeededGenerator(seed: 5)
  private let account = AccountID(7)
  private let types = [RecordType(stored: "Post"), RecordType(stored: "Comment")]

  /// A machine that was welcomed, and what it did then.
  private mutating func ready(reads isReading: Bool = true) -> (SyncMachine, [SyncStep]) {
    var machine = SyncMachine(
      identity: SyncMachine.Identity(
        container: "contacts", accountName: nil, deviceName: "laptop", key: [], account: nil,
        device: nil),
      lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [:], abandoned: [],
      requests: [], publicReading: PublicDatabaseSync(types: isReading ? types : []))
    let steps = welcome(&machine)
    return (machine, steps)
  }

  private mutating func welcome(_ machine: inout SyncMachine) -> [SyncStep] {
    _ = machine.wake()
    guard case .action(.send(let id, _)) = machine.connected().first else { return [] }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: DeviceID(8), lastNumber: .zero,
      directory: .zero, heartbeatSeconds: 30)
    let level = NotificationPage(notifications: [], collapsed: [], isLevel: true)
    return machine.received(.welcome(welcome), replyTo: id, using: &generator)
      + machine.received(.notifications(level), replyTo: 0, using: &generator)
  }

  private func query(_ steps: [SyncStep]) -> (id: UInt64, form: QueryForm)? {
    for case .action(.send(let id, .query(let form))) in steps { return (id, form) }
    return nil
  }

  private func change(_ name: String, _ tag: Int64) -> Change {
    let stamp = Stamp(
      time: Timestamp(microseconds: 1),
      origin: Origin(account: account, device: DeviceID(9), request: RequestNumber(1)))
    return Change(
      name: RecordName(stored: name), tag: Revision(tag), kind: .saved, type: types[0],
      created: stamp, modified: stamp, record: .empty)
  }

  private func page(_ names: [String], cursor: [UInt8]? = nil) -> BrokerMessage {
    .found(
      FoundPage(
        records: names.map { FoundPage.Found(zone: .public, change: change($0, 1)) },
        cursor: cursor))
  }

  /// A notification names the record.
  private mutating func notify(_ machine: inout SyncMachine, of name: String) -> [SyncStep] {
    let stamp = Stamp(
      time: Timestamp(microseconds: 1),
      origin: Origin(account: AccountID(3), device: DeviceID(9), request: RequestNumber(1)))
    let told = ChangeNotification(
      number: NotificationNumber(1), predecessor: .none, database: .public,
      record: RecordID(zone: .public, name: RecordName(stored: name)), type: types[1],
      tag: Revision(5), modified: stamp, firings: [])
    return machine.received(
      .notifications(NotificationPage(notifications: [told], isLevel: true)), replyTo: 0,
      using: &generator)
  }

  /// Takes a run to the point where what was not found is looked for.
  private mutating func readAll(_ machine: inout SyncMachine) -> [SyncStep] {
    var steps = machine.sentPublicRecords()
    while let (id, _) = query(steps) {
      steps = machine.received(page([]), replyTo: id, using: &generator)
    }
    return steps
  }

  @Test mutating func `no run starts before later changes are certain to be notified`() {
    var (machine, _) = ready()
    _ = machine.disconnected(using: &generator)
    _ = machine.wake()
    guard case .action(.send(let id, _)) = machine.connected().first else {
      Issue.record("No greeting")
      return
    }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: DeviceID(8), lastNumber: .zero,
      directory: .zero, heartbeatSeconds: 30)
    #expect(
      !machine.received(.welcome(welcome), replyTo: id, using: &generator).contains(
        .action(.publicReadingBegan)))
    #expect(machine.refreshPublicRecords().isEmpty)
    let page = NotificationPage(notifications: [], collapsed: [], isLevel: true)
    #expect(
      machine.received(.notifications(page), replyTo: 0, using: &generator) == [
        .action(.publicReadingBegan)
      ]
    )
    #expect(machine.received(.notifications(page), replyTo: 0, using: &generator).isEmpty)
  }

  @Test mutating func `welcomed, a device that reads the timeline begins to send what waits`() {
    let (machine, steps) = ready()
    #expect(steps.contains(.action(.publicReadingBegan)))
    #expect(machine.isSendingPublicRecords)
    #expect(query(steps) == nil)
    let (other, quiet) = ready(reads: false)
    #expect(!quiet.contains(.action(.publicReadingBegan)) && !other.publicReading.isRunning)
  }

  @Test mutating func `posts are read before comments, page by page`() throws {
    var (machine, _) = ready()
    let first = try #require(query(machine.sentPublicRecords()))
    #expect(first.form.type == types[0] && first.form.database == .public)
    let more = machine.received(page(["a"], cursor: [1]), replyTo: first.id, using: &generator)
    #expect(more.first == .store(.storeFound([change("a", 1)])))
    let second = try #require(query(more))
    #expect(second.form.type == types[0] && second.form.cursor == [1])
    let third = try #require(
      query(machine.received(page(["b"]), replyTo: second.id, using: &generator)))
    #expect(third.form.type == types[1] && third.form.cursor == nil)
    let last = machine.received(page([]), replyTo: third.id, using: &generator)
    #expect(last == [.store(.findMissing)])
    #expect(
      machine.fetchMissing([], using: &generator) == [
        .store(.endPublicReading(keepsDeletions: false)), .action(.publicReadingEnded(.done)),
      ])
    #expect(!machine.publicReading.isRunning)
  }

  @Test mutating func `a page that nobody waits for, or that comes twice, is passed over`() throws {
    var (machine, _) = ready()
    let (id, _) = try #require(query(machine.sentPublicRecords()))
    #expect(machine.received(page(["a"]), replyTo: id + 50, using: &generator).isEmpty)
    _ = machine.received(page(["a"]), replyTo: id, using: &generator)
    #expect(machine.received(page(["a"]), replyTo: id, using: &generator).isEmpty)
  }

  @Test mutating func `what was not found is asked for by name before it is taken away`() throws {
    var (machine, _) = ready()
    #expect(readAll(&machine) == [.store(.findMissing)])
    let names = ["x", "y"].map { RecordName(stored: $0) }
    guard
      case .action(.send(let id, .fetch(let ids))) = machine.fetchMissing(names, using: &generator)
        .first
    else {
      Issue.record("Nothing was asked.")
      return
    }
    #expect(ids == names.map { RecordID(zone: .public, name: $0) })
    let steps = machine.received(.fetched([nil, change("y", 4)]), replyTo: id, using: &generator)
    #expect(
      steps == [
        .store(
          .storeFetched(
            [
              NamedState(name: names[0], change: nil),
              NamedState(name: names[1], change: change("y", 4)),
            ], isOfRun: true)), .store(.findMissing),
      ])
  }

  @Test mutating func `asked for three times during a run, one more follows and tells all`() {
    var (machine, _) = ready()
    for id in 1...3 { #expect(machine.refreshPublicRecords(id: UInt64(id)).isEmpty) }
    #expect(readAll(&machine) == [.store(.findMissing)])
    let ended = machine.fetchMissing([], using: &generator)
    #expect(
      ended == [
        .store(.endPublicReading(keepsDeletions: false)), .action(.publicReadingEnded(.done)),
        .action(.publicReadingBegan),
      ])
    #expect(readAll(&machine) == [.store(.findMissing)])
    #expect(
      machine.fetchMissing([], using: &generator)
        == [.store(.endPublicReading(keepsDeletions: false)), .action(.publicReadingEnded(.done))]
        + (1...3).map { .action(.answered(id: $0, isWhole: true)) })
  }

  @Test mutating func `a broken connection ends a run, and the next one begins another`() {
    var (machine, _) = ready()
    _ = machine.sentPublicRecords()
    _ = machine.refreshPublicRecords(id: 9)
    let lost = machine.disconnected(using: &generator)
    #expect(lost.contains(.action(.publicReadingEnded(.interrupted))))
    #expect(!machine.publicReading.isRunning && machine.sentPublicRecords().isEmpty)
    #expect(welcome(&machine).contains(.action(.publicReadingBegan)))
    // The requests of the interrupted run wait for this one.
    #expect(readAll(&machine) == [.store(.findMissing)])
    #expect(
      machine.fetchMissing([], using: &generator).contains(.action(.answered(id: 9, isWhole: true)))
    )
  }

  @Test
  mutating func `a transient error sets a timer, and a permanent one is reported and not retried`()
    throws
  {
    var (machine, _) = ready()
    let (id, _) = try #require(query(machine.sentPublicRecords()))
    let busy = RecordsError(.requestRateLimited, "Busy.", retryAfterSeconds: 3)
    let put = machine.received(.error(busy), replyTo: id, using: &generator)
    #expect(put.first == .action(.publicReadingEnded(.interrupted)))
    guard case .action(.wait(.publicReading, let milliseconds)) = put.last else {
      Issue.record("\(put)")
      return
    }
    #expect(milliseconds >= 3_000)
    #expect(machine.fired(.publicReading, using: &generator) == [.action(.publicReadingBegan)])
    let (again, _) = try #require(query(machine.sentPublicRecords()))
    let refusal = RecordsError(.permissionFailure, "Nobody reads this here.")
    #expect(
      machine.received(.error(refusal), replyTo: again, using: &generator)
        == [.action(.publicReadingEnded(.refused(refusal)))])
    #expect(machine.fired(.publicReading, using: &generator).isEmpty)
  }

  @Test mutating func `a notification about the public database fetches its record`() throws {
    var (machine, _) = ready()
    let steps = notify(&machine, of: "c")
    guard case .action(.send(let id, .fetch(let ids))) = steps.last else {
      Issue.record("\(steps)")
      return
    }
    #expect(ids.map(\.name.text) == ["c"])
    // Notifications are delivered once their record is stored.
    #expect(machine.readTo(.public) == .zero)
    _ = machine.received(.fetched([change("c", 5)]), replyTo: id, using: &generator)
    #expect(machine.readTo(.public) == nil)
  }

  @Test mutating func `a run keeps deletions while a notified record is being fetched`() throws {
    var (machine, _) = ready()
    let told = try #require(fetch(notify(&machine, of: "c")))
    #expect(readAll(&machine) == [.store(.findMissing)])
    #expect(
      machine.fetchMissing([], using: &generator) == [
        .store(.endPublicReading(keepsDeletions: true)), .action(.publicReadingEnded(.done)),
      ])
    let states = [NamedState(name: RecordName(stored: "c"), change: change("c", 5))]
    #expect(
      machine.received(.fetched([change("c", 5)]), replyTo: told.id, using: &generator)
        == [.store(.storeFetched(states, isOfRun: false))])
    _ = machine.refreshPublicRecords()
    _ = readAll(&machine)
    #expect(
      machine.fetchMissing([], using: &generator).first
        == .store(.endPublicReading(keepsDeletions: false)))
  }

  @Test mutating func `who waits for a run that “not now” cut short waits for the next`() throws {
    var (machine, _) = ready()
    _ = machine.refreshPublicRecords(id: 3)
    _ = readAll(&machine)
    _ = machine.fetchMissing([], using: &generator)
    let (id, _) = try #require(query(machine.sentPublicRecords()))
    let busy = RecordsError(.zoneBusy, "Busy.", retryAfterSeconds: 1)
    let put = machine.received(.error(busy), replyTo: id, using: &generator)
    #expect(!put.contains(.action(.answered(id: 3, isWhole: false))))
    #expect(machine.fired(.publicReading, using: &generator) == [.action(.publicReadingBegan)])
    #expect(readAll(&machine) == [.store(.findMissing)])
    #expect(
      machine.fetchMissing([], using: &generator).contains(.action(.answered(id: 3, isWhole: true)))
    )
  }

  @Test mutating func `a question about a damaged record is asked without it`() throws {
    var (machine, _) = ready()
    _ = readAll(&machine)
    let names = ["x", "y", "z"].map { RecordName(stored: $0) }
    let first = try #require(fetch(machine.fetchMissing(names, using: &generator)))
    let damage = RecordsError(.internalError, "Damaged.", record: names[1], reason: "damaged")
    let steps = machine.received(.error(damage), replyTo: first.id, using: &generator)
    #expect(steps.first == .store(.skipPublicRecords([names[1]])))
    let rest = try #require(fetch(steps))
    #expect(rest.names == ["x", "z"])
    let end = machine.received(.fetched([nil, nil]), replyTo: rest.id, using: &generator)
    #expect(end.last == .store(.findMissing))
  }

  @Test mutating func `a question too large to be answered is halved, down to one name`() throws {
    var (machine, _) = ready()
    _ = readAll(&machine)
    let names = ["x", "y"].map { RecordName(stored: $0) }
    let first = try #require(fetch(machine.fetchMissing(names, using: &generator)))
    let limit = RecordsError.limit("Bytes", limit: 1, actual: 2)
    let halves = machine.received(.error(limit), replyTo: first.id, using: &generator)
    #expect(halves.count == 2)
    let left = try #require(fetch([halves[0]]))
    let right = try #require(fetch([halves[1]]))
    #expect(left.names == ["x"] && right.names == ["y"])
    #expect(
      machine.received(.error(limit), replyTo: left.id, using: &generator)
        == [.store(.skipPublicRecords([names[0]]))])
    #expect(
      machine.received(.fetched([nil]), replyTo: right.id, using: &generator).last
        == .store(.findMissing))
  }

  @Test mutating func `an answer without progress ends the run, and a timer starts the next one`()
    throws
  {
    var (machine, _) = ready()
    _ = readAll(&machine)
    let names = [RecordName(stored: "x")]
    let first = try #require(fetch(machine.fetchMissing(names, using: &generator)))
    _ = machine.received(.fetched([]), replyTo: first.id, using: &generator)
    let steps = machine.fetchMissing(names, using: &generator)
    #expect(steps.first == .action(.publicReadingEnded(.interrupted)))
    guard case .action(.wait(.publicReading, _)) = steps.last else {
      Issue.record("\(steps)")
      return
    }
    #expect(machine.fired(.publicReading, using: &generator) == [.action(.publicReadingBegan)])
  }

  @Test mutating func `a name that keeps not to the rule is not asked for`() {
    var (machine, _) = ready()
    #expect(fetch(notify(&machine, of: "c\0")) == nil)
  }

  private func fetch(_ steps: [SyncStep]) -> (id: UInt64, names: [String])? {
    for case .action(.send(let id, .fetch(let ids))) in steps { return (id, ids.map(\.name.text)) }
    return nil
  }
}
