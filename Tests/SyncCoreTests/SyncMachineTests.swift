// The conversation with a broker, one sentence at a time.

import Records
import SyncCore
import Testing

@Suite("B3, I3, I5, I16, I20, I22 the sync machine")
struct SyncMachineTests {
  private var generator = SeededGenerator(seed: 1)
  private let account = AccountID(7)
  private let device = DeviceID(8)
  private let history = Incarnation(9)

  @Test mutating func `a first connection says hello and becomes live at the level`() {
    var machine = Self.machine()
    #expect(machine.wake() == [.action(.phaseChanged(.connecting)), .action(.connect)])
    guard case .action(.send(let id, .hello(let hello))) = machine.connected().first else {
      Issue.record("no hello")
      return
    }
    #expect(hello.device == nil)
    #expect(hello.zones == [ZonePosition(zone: .standard, token: nil)])
    let steps = machine.received(.welcome(welcome()), replyTo: id, using: &generator)
    #expect(steps.contains(.store(.storeWelcome(welcome()))))
    #expect(machine.phase == .catchingUp)
    let level = machine.received(self.level(0), replyTo: 0, using: &generator)
    #expect(level.contains(.action(.phaseChanged(.live))))
    #expect(machine.hasRoomForRequest)
  }

  @Test mutating func `a frame that joins on is kept, a repeated one is not`() {
    var machine = live(head: 4)
    let frame = changes(from: 4, to: 6)
    let steps = machine.received(.changes(frame), replyTo: 0, using: &generator)
    guard case .store(.storeChanges(let kept, let token)) = steps.first else {
      Issue.record("\(steps)")
      return
    }
    #expect(kept.zone == .standard)
    #expect(token.revision == Revision(6))
    #expect(machine.received(.changes(frame), replyTo: 0, using: &generator).isEmpty)
  }

  @Test mutating func `a gap attaches again from the device's own token`() {
    var machine = live(head: 4)
    let steps = machine.received(.changes(changes(from: 5, to: 6)), replyTo: 0, using: &generator)
    let positions = steps.compactMap { step in
      if case .action(.send(_, .attach(let positions))) = step { positions } else { nil }
    }
    #expect(positions.first?.first?.token?.revision == Revision(4))
    #expect(machine.phase == .catchingUp)
    #expect(!steps.contains { if case .store(.storeChanges) = $0 { true } else { false } })
  }

  @Test mutating func `a feed that stopped for a while goes on from where it was read to`() {
    var machine = live(head: 4)
    let busy = RecordsError(.serviceUnavailable, "Not now.", retryAfterSeconds: 5)
    var waits: [Int] = []
    for _ in 0..<3 {
      let steps = machine.received(
        .reset(zone: owned(.standard), busy), replyTo: 0, using: &generator)
      #expect(machine.phase == .catchingUp)
      #expect(!machine.mayFreeze(.standard))
      for case .action(.wait(.attachment, let milliseconds)) in steps { waits.append(milliseconds) }
      let again = machine.fired(.attachment, using: &generator)
      let positions = again.compactMap { step in
        if case .action(.send(_, .attach(let positions))) = step { positions } else { nil }
      }
      #expect(positions.map { $0.map(\.token?.revision) } == [[Revision(4)]])
      #expect(machine.fired(.attachment, using: &generator).isEmpty)
    }
    #expect(waits.count == 3)
    #expect(waits.allSatisfy { $0 >= 5000 })
    #expect(
      machine.received(level(4), replyTo: 0, using: &generator).contains(
        .action(.phaseChanged(.live))))
    #expect(machine.mayFreeze(.standard))
  }

  @Test mutating func `a connection that ends does not wait for a stopped feed`() {
    var machine = live(head: 4)
    let busy = RecordsError(.internalError, "Fell over.")
    _ = machine.received(.reset(zone: owned(.standard), busy), replyTo: 0, using: &generator)
    _ = machine.disconnected(using: &generator)
    #expect(machine.fired(.attachment, using: &generator).isEmpty)
  }

  @Test mutating func `an expired token is read again from the start, sweeping`() {
    var machine = live(head: 4)
    let error = RecordsError(.changeTokenExpired, "Expired.")
    let steps = machine.received(
      .reset(zone: owned(.standard), error), replyTo: 0, using: &generator)
    #expect(steps.contains(.store(.reread(.standard, sweep: .expired))))
    _ = machine.received(
      .changes(changes(from: 0, to: 9, scanStart: 9)), replyTo: 0, using: &generator)
    let end = machine.received(level(9), replyTo: 0, using: &generator)
    let token = ChangeToken(
      incarnation: history, revision: Revision(9), scanStart: Revision(9))
    #expect(end.contains(.store(.reachLevel(.standard, token: token, sweep: .expired))))
  }

  @Test mutating func `another history is read from the start as a restored one`() {
    var machine = live(head: 4)
    let other = ZoneChanges(
      zone: owned(.standard), incarnation: Incarnation(99), from: .zero, to: Revision(2),
      scanStart: .zero, changes: [])
    let steps = machine.received(.changes(other), replyTo: 0, using: &generator)
    #expect(steps.contains(.store(.reread(.standard, sweep: .restored))))
  }

  @Test mutating func `a new group in the directory is attached, a deleted one dropped`() {
    var machine = live(head: 0)
    let group = ZoneID(name: ZoneName(5))
    let added = machine.received(
      directory(from: 1, to: 2, group, isDeleted: false), replyTo: 0, using: &generator)
    let attached = added.compactMap { step in
      if case .action(.send(_, .attach(let positions))) = step {
        positions.map(\.zone)
      } else {
        nil
      }
    }
    #expect(attached == [[group]])
    #expect(machine.phase == .catchingUp)
    let gone = machine.received(
      directory(from: 2, to: 3, group, isDeleted: true), replyTo: 0, using: &generator)
    #expect(gone.contains { if case .store(.dropZone(group, _)) = $0 { true } else { false } })
    #expect(machine.phase == .live)
  }

  @Test mutating func `a ping waits for the first request alone, whose outcome comes first`() {
    var machine = live(head: 0)
    // Each takes 4 s at 16 KiB/s.
    for _ in 0..<3 { _ = machine.froze(byteCount: 64 << 10) }
    machine.now = Timestamp(microseconds: 60_000_000)
    let waits = machine.fired(.heartbeat, using: &generator).compactMap { step in
      if case .action(.wait(.heartbeat, let milliseconds)) = step { milliseconds } else { nil }
    }
    #expect(waits == [7000])
  }

  @Test mutating func `large requests leave no room long before there are many`() {
    var machine = live(head: 0)
    for _ in 0..<3 {
      #expect(machine.hasRoomForRequest)
      _ = machine.froze(byteCount: 1_900_000)
    }
    #expect(!machine.hasRoomForRequest)
  }

  @Test mutating func `a transient answer sends that request and all later ones again in order`() {
    var machine = live(head: 0)
    var sent: [UInt64] = []
    for _ in 0..<3 {
      for case .store(.sendRequest(let id, _)) in machine.froze(byteCount: 100) { sent.append(id) }
    }
    let busy = RecordsError(.zoneBusy, "Busy.", retryAfterSeconds: 2)
    let steps = machine.received(.error(busy), replyTo: sent[1], using: &generator)
    guard case .action(.wait(.resend, let milliseconds)) = steps.first else {
      Issue.record("\(steps)")
      return
    }
    #expect(milliseconds >= 2000)
    #expect(machine.received(.error(busy), replyTo: sent[2], using: &generator).isEmpty)
    #expect(!machine.hasRoomForRequest)
    let again = machine.fired(.resend, using: &generator).compactMap { step in
      if case .store(.sendRequest(_, let number)) = step { number } else { nil }
    }
    #expect(again == [RequestNumber(2), RequestNumber(3)])
  }

  @Test mutating func `a request that came out of order proves that an earlier one never left`() {
    var machine = live(head: 0)
    var sent: [UInt64] = []
    for _ in 0..<3 {
      for case .store(.sendRequest(let id, _)) in machine.froze(byteCount: 100) { sent.append(id) }
    }
    let error = RecordsError(
      .serviceUnavailable, "Request 3 is out of order: expected 1.", retryAfterSeconds: 0,
      reason: "outOfOrder")
    _ = machine.received(.error(error), replyTo: sent[2], using: &generator)
    let again = machine.fired(.resend, using: &generator).compactMap { step in
      if case .store(.sendRequest(_, let number)) = step { number.value } else { nil }
    }
    #expect(again == [1, 2, 3])
  }

  @Test mutating func `after a reconnect requests without an outcome go again in order`() {
    var machine = live(head: 0)
    _ = machine.froze(byteCount: 100)
    _ = machine.froze(byteCount: 100)
    _ = machine.disconnected(using: &generator)
    #expect(machine.phase == .offline)
    _ = machine.wake()
    let numbers = greet(&machine, lastNumber: 1).compactMap { step in
      if case .store(.sendRequest(_, let number)) = step { number } else { nil }
    }
    #expect(numbers == [RequestNumber(1), RequestNumber(2)])
  }

  @Test mutating func `an outcome is stored before it is acknowledged`() {
    var machine = live(head: 0)
    _ = machine.froze(byteCount: 100)
    let outcome = ModifyOutcome(number: RequestNumber(1), groups: [])
    let steps = machine.received(.outcome(outcome), replyTo: 0, using: &generator)
    #expect(steps.first == .store(.storeOutcome(outcome)))
    #expect(machine.acknowledged == RequestNumber(1))
    #expect(machine.received(.outcome(outcome), replyTo: 0, using: &generator).isEmpty)
  }

  @Test mutating func `requests are numbered again after the broker lost its history`() {
    var machine = Self.machine(lastNumber: 9, acknowledged: 8, requests: [9])
    _ = machine.wake()
    let steps = greet(&machine, lastNumber: 3)
    #expect(steps.contains(.store(.renumber(after: RequestNumber(3)))))
    #expect(
      steps.contains {
        if case .store(.sendRequest(_, RequestNumber(4))) = $0 { true } else { false }
      })
    #expect(machine.lastNumber == RequestNumber(4))
  }

  @Test mutating func `a zone not read before the broker lost history is read as a restored one`() {
    var machine = Self.machine(lastNumber: 9, acknowledged: 8)
    _ = machine.wake()
    #expect(greet(&machine, lastNumber: 3).contains(.store(.reread(.standard, sweep: .restored))))
    let steps = machine.received(level(0), replyTo: 0, using: &generator)
    let sweeps = steps.compactMap { step -> Sweep? in
      if case .store(.reachLevel(.standard, _, let sweep, _)) = step { sweep } else { nil }
    }
    #expect(sweeps == [.restored])
  }

  @Test mutating func `a broker that lost nothing leaves the first reading as it is`() {
    var machine = Self.machine(lastNumber: 9, acknowledged: 8)
    _ = machine.wake()
    #expect(!greet(&machine, lastNumber: 8).contains(.store(.reread(.standard, sweep: .restored))))
  }

  @Test mutating func `a number this device never gave proves a copy: it takes a new identity`() {
    var machine = Self.machine(lastNumber: 2, acknowledged: 2, requests: [])
    _ = machine.wake()
    let steps = greet(&machine, lastNumber: 5)
    #expect(steps.contains(.store(.takeNewIdentity)))
    #expect(steps.contains(.action(.disconnect)))
    #expect(machine.identity.device == nil)
    #expect(machine.lastNumber == .zero)
  }

  @Test mutating func `a used number with other content proves a copy, too`() {
    var machine = live(head: 0)
    guard case .store(.sendRequest(let id, _)) = machine.froze(byteCount: 100).first else { return }
    let error = RecordsError(.constraintViolation, "Used.", reason: "clonedDevice")
    let steps = machine.received(.error(error), replyTo: id, using: &generator)
    #expect(steps.contains(.store(.takeNewIdentity)))
    #expect(machine.lastNumber == RequestNumber(1))
    #expect(machine.acknowledged == .zero)
  }

  @Test mutating func `a request the broker will not read does not block the rest`() {
    var machine = live(head: 0)
    guard case .store(.sendRequest(let id, _)) = machine.froze(byteCount: 100).first else { return }
    _ = machine.froze(byteCount: 100)
    let error = RecordsError(.limitExceeded, "Too much.")
    let steps = machine.received(.error(error), replyTo: id, using: &generator)
    #expect(steps == [.store(.unfreeze(from: RequestNumber(1), error))])
    #expect(machine.nextNumber == RequestNumber(1))
  }

  @Test mutating func `a wait ends with a checkpoint asked for when the outbox was empty`() {
    var machine = live(head: 0)
    machine.wait(42)
    #expect(machine.settled(isOutboxEmpty: false).isEmpty)
    guard case .action(.send(let id, .checkpoint)) = machine.settled(isOutboxEmpty: true).first
    else {
      Issue.record("no checkpoint")
      return
    }
    #expect(machine.settled(isOutboxEmpty: true).isEmpty)
    #expect(
      machine.received(.checkpoint, replyTo: id, using: &generator) == [
        .action(.synchronized(id: 42))
      ])
  }

  @Test mutating func `a wait is not ended by a checkpoint of a lost connection`() {
    var machine = live(head: 0)
    machine.wait(42)
    _ = machine.settled(isOutboxEmpty: true)
    _ = machine.disconnected(using: &generator)
    _ = machine.wake()
    _ = greet(&machine, lastNumber: 0)
    _ = machine.received(level(0), replyTo: 0, using: &generator)
    #expect(machine.settled(isOutboxEmpty: true).count == 1)
  }

  @Test mutating func `a goodbye to a copy makes the copy a new device`() {
    var machine = live(head: 0)
    let error = RecordsError(.constraintViolation, "A copy.", reason: "clonedDevice")
    let steps = machine.received(.goodbye(error), replyTo: 0, using: &generator)
    #expect(steps.contains(.store(.takeNewIdentity)) && steps.contains(.action(.disconnect)))
    #expect(machine.identity.device == nil && machine.phase == .offline)
  }

  @Test
  mutating func `a rejected connection is shown in the phase, and tried again after a long delay`()
  {
    var machine = Self.machine()
    _ = machine.wake()
    _ = machine.connected()
    let error = RecordsError(.notAuthenticated, "Who are you?")
    let steps = machine.received(.goodbye(error), replyTo: 0, using: &generator)
    #expect(machine.phase == .refused(error))
    let waits = steps.compactMap { step in
      if case .action(.wait(.reconnect, let milliseconds)) = step { milliseconds } else { nil }
    }
    #expect((waits.first ?? 0) >= 30_000)
  }

  @Test mutating func `a zone deleted here is left alone until the directory says so`() {
    var machine = live(head: 0)
    let group = ZoneID(name: ZoneName(5))
    _ = machine.received(
      directory(from: 1, to: 2, group, isDeleted: false), replyTo: 0, using: &generator)
    _ = machine.abandon(group)
    let steps = machine.received(
      directory(from: 2, to: 3, group, isDeleted: false), replyTo: 0, using: &generator)
    #expect(!steps.contains { if case .action(.send(_, .attach)) = $0 { true } else { false } })
  }

  @Test mutating func `a zone deleted between the hello and the welcome is detached after it`() {
    var machine = live(head: 0)
    let group = ZoneID(name: ZoneName(5))
    _ = machine.received(
      directory(from: 1, to: 2, group, isDeleted: false), replyTo: 0, using: &generator)
    _ = machine.disconnected(using: &generator)
    _ = machine.wake()
    _ = machine.connected()
    #expect(machine.abandon(group).isEmpty)
    #expect(machine.takeBack(group).isEmpty)
    let steps = machine.received(.welcome(welcome()), replyTo: 0, using: &generator)
    let feeds = steps.compactMap { step -> String? in
      switch step {
      case .action(.send(_, .detach([group]))): "detach"
      case .action(.send(_, .attach([ZonePosition(zone: group, token: nil)]))): "attach"
      default: nil
      }
    }
    #expect(feeds == ["detach", "attach"])
  }

  @Test mutating func `of an own zone the broker does not know the directory is asked once`() {
    var machine = live(head: 0)
    let group = ZoneID(name: ZoneName(5))
    _ = machine.received(
      directory(from: 1, to: 2, group, isDeleted: false), replyTo: 0, using: &generator)
    let reset = BrokerMessage.reset(
      zone: owned(group), RecordsError(.zoneNotFound, "There is no such zone."))
    let asked = machine.received(reset, replyTo: 0, using: &generator).compactMap { step in
      if case .action(.send(let id, .zones)) = step { id } else { nil }
    }
    #expect(asked.count == 1)
    #expect(!machine.mayFreeze(group))
    let told = machine.received(
      directory(from: 0, to: 3, group, isDeleted: false), replyTo: asked.first ?? 0,
      using: &generator)
    #expect(told.contains { if case .action(.send(_, .attach)) = $0 { true } else { false } })
    // A broker that goes on saying so is believed.
    let again = machine.received(reset, replyTo: 0, using: &generator)
    #expect(again.contains { if case .store(.dropZone(group, _)) = $0 { true } else { false } })
  }

  @Test mutating func `a zone of its own that a whole directory does not name is made again`() {
    var machine = live(head: 0)
    let group = ZoneID(name: ZoneName(5))
    let others = ZoneID(owner: AccountID(0xB0B), name: ZoneName(6))
    for (place, zone) in [group, others].enumerated() {
      let from = Int64(place) + 1
      _ = machine.received(
        directory(from: from, to: from + 1, zone, isDeleted: false), replyTo: 0, using: &generator)
    }
    let steps = machine.received(
      directory(from: 0, to: 9, .standard, isDeleted: false), replyTo: 0, using: &generator)
    #expect(steps.contains(.store(.recreateZone(group))))
    #expect(steps.contains { if case .store(.dropZone(others, _)) = $0 { true } else { false } })
    #expect(machine.mayFreeze(group))
  }

  @Test(arguments: [(true, "noSuchZone"), (false, "left")] as [(Bool, String)])
  mutating func `a zone of another account that is gone was taken, or left if it is not shared`(
    isShared: Bool, reason: String
  ) {
    var machine = live(head: 0)
    let zone = ZoneID(owner: AccountID(0xB0B), name: ZoneName(6))
    _ = machine.received(
      directory(from: 1, to: 2, zone, isDeleted: false), replyTo: 0, using: &generator)
    let gone = DirectoryEntry(
      revision: Revision(3), zone: zone, title: "", role: .member, isWritable: false,
      incarnation: history, isDeleted: true, isShared: isShared)
    let steps = machine.received(
      .directory(DirectoryPage(from: Revision(2), to: Revision(3), entries: [gone])), replyTo: 0,
      using: &generator)
    let reasons = steps.compactMap { step -> String?? in
      if case .store(.dropZone(zone, let error)) = step { .some(error.reason) } else { nil }
    }
    #expect(reasons == [reason])
  }

  @Test
  mutating func `a zone deleted here, which the broker lost, is followed when it is made again`() {
    var machine = live(head: 0)
    let group = ZoneID(name: ZoneName(5))
    _ = machine.received(
      directory(from: 1, to: 2, group, isDeleted: false), replyTo: 0, using: &generator)
    _ = machine.abandon(group)
    _ = machine.received(
      directory(from: 0, to: 9, .standard, isDeleted: false), replyTo: 0, using: &generator)
    let steps = machine.received(
      directory(from: 9, to: 10, group, isDeleted: false), replyTo: 0, using: &generator)
    #expect(steps.contains { if case .action(.send(_, .attach)) = $0 { true } else { false } })
  }

  @Test mutating func `answers of all kinds at the wrong time are survived`() {
    let messages: [BrokerMessage] = [
      .welcome(welcome()), .outcome(ModifyOutcome(number: RequestNumber(9), groups: [])),
      .checkpoint, .pong, .fetched([]), level(3), .changes(changes(from: 7, to: 8)),
      .error(RecordsError(.internalError, "Oops.")),
      .reset(zone: owned(ZoneID(name: ZoneName(77))), RecordsError(.zoneNotFound, "None.")),
    ]
    for message in messages {
      var offline = Self.machine()
      #expect(offline.received(message, replyTo: 3, using: &generator).isEmpty)
      var ready = live(head: 0)
      _ = ready.received(message, replyTo: 3, using: &generator)
    }
  }

  // MARK: -

  static func machine(
    lastNumber: Int64 = 0, acknowledged: Int64 = 0, requests: [Int64] = []
  ) -> SyncMachine {
    SyncMachine(
      identity: SyncMachine.Identity(
        container: "contacts", accountName: "ada", deviceName: "laptop", key: [1],
        account: nil, device: nil),
      lastNumber: RequestNumber(lastNumber), acknowledged: RequestNumber(acknowledged),
      directory: .zero,
      zones: [.standard: FollowedZone(token: nil, incarnation: nil, sweep: .none)],
      abandoned: [],
      requests: requests.map {
        NumberedRequest(number: RequestNumber($0), byteCount: 100)
      })
  }

  mutating func live(head: Int64) -> SyncMachine {
    var machine = Self.machine()
    _ = machine.wake()
    _ = greet(&machine, lastNumber: 0)
    _ = machine.received(
      .directory(
        DirectoryPage(from: .zero, to: Revision(1), entries: [entry(.standard, revision: 1)])),
      replyTo: 0, using: &generator)
    _ = machine.received(level(head), replyTo: 0, using: &generator)
    return machine
  }

  mutating func greet(_ machine: inout SyncMachine, lastNumber: Int64) -> [SyncStep] {
    guard case .action(.send(let id, .hello)) = machine.connected().first else { return [] }
    return machine.received(
      .welcome(welcome(lastNumber: lastNumber)), replyTo: id, using: &generator)
  }

  private func welcome(lastNumber: Int64 = 0) -> Welcome {
    Welcome(
      version: 1, account: account, accountName: "ada", device: device,
      lastNumber: RequestNumber(lastNumber), directory: .zero, heartbeatSeconds: 30)
  }

  private func owned(_ zone: ZoneID) -> ZoneID { zone.resolved(for: account) }

  private func level(_ head: Int64) -> BrokerMessage {
    .level(
      zone: owned(.standard), incarnation: history, head: Revision(head),
      scanStart: Revision(head))
  }

  private func changes(from: Int64, to: Int64, scanStart: Int64? = nil) -> ZoneChanges {
    ZoneChanges(
      zone: owned(.standard), incarnation: history, from: Revision(from), to: Revision(to),
      scanStart: scanStart.map { Revision($0) }, changes: [])
  }

  private func entry(
    _ zone: ZoneID, revision: Int64, isDeleted: Bool = false
  ) -> DirectoryEntry {
    DirectoryEntry(
      revision: Revision(revision), zone: owned(zone), title: "Group", role: .owner,
      isWritable: true, incarnation: history, isDeleted: isDeleted)
  }

  private func directory(
    from: Int64, to: Int64, _ zone: ZoneID, isDeleted: Bool
  ) -> BrokerMessage {
    .directory(
      DirectoryPage(
        from: Revision(from), to: Revision(to),
        entries: [entry(zone, revision: to, isDeleted: isDeleted)]))
  }
}
