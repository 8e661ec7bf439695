// What the sync machine makes of directories that cross each other, and of groups that its device makes.

import Records
import Testing

@testable import SyncCore

@Suite("B3, I3, I16 directories on their way")
struct DirectoryAnswerTests {
  private var generator = SeededGenerator(seed: 4)
  private let account = AccountID(7)
  private let history = Incarnation(9)
  private let group = ZoneID(name: ZoneName(5))

  private mutating func live() -> SyncMachine {
    var machine = SyncMachineTests.machine()
    _ = machine.wake()
    guard case .action(.send(let id, .hello)) = machine.connected().first else { return machine }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: DeviceID(8), lastNumber: .zero,
      directory: Revision(1), heartbeatSeconds: 30)
    _ = machine.received(.welcome(welcome), replyTo: id, using: &generator)
    _ = machine.received(page(from: 0, to: 1, [.standard]), replyTo: 0, using: &generator)
    return machine
  }

  private func page(
    from: Int64, to: Int64, _ zones: [ZoneID], of incarnation: Incarnation? = nil
  ) -> BrokerMessage {
    .directory(
      DirectoryPage(
        from: Revision(from), to: Revision(to),
        entries: zones.map { zone in
          DirectoryEntry(
            revision: Revision(to), zone: zone.resolved(for: account), title: "Group", role: .owner,
            isWritable: true, incarnation: incarnation ?? history, isDeleted: false)
        }))
  }

  private func question(in steps: [SyncStep]) -> UInt64? {
    steps.lazy.compactMap { if case .action(.send(let id, .zones)) = $0 { id } else { nil } }.first
  }

  @Test
  mutating func `an answer that was read before a change and comes behind it is asked for again`() {
    var machine = live()
    let asked = question(in: machine.doubt(.standard))
    _ = machine.received(page(from: 1, to: 2, [group]), replyTo: 0, using: &generator)
    let steps = machine.received(
      page(from: 0, to: 1, [.standard]), replyTo: asked ?? 0, using: &generator)
    #expect(!steps.contains(.store(.recreateZone(group))))
    let again = question(in: steps)
    #expect(again != nil && machine.zones[group] != nil)
    _ = machine.received(
      page(from: 0, to: 2, [.standard, group]), replyTo: again ?? 0, using: &generator)
    #expect(machine.directory == Revision(2))
  }

  @Test mutating func `a group that was made and lost before its directory named it is made again`()
  {
    var machine = live()
    let steps = machine.follow(group)
    #expect(steps.contains { if case .action(.send(_, .attach)) = $0 { true } else { false } })
    let lost = machine.received(page(from: 0, to: 5, [.standard]), replyTo: 0, using: &generator)
    #expect(lost.contains(.store(.recreateZone(group))))
  }

  @Test
  mutating func `a group that was deleted and restored before it was read is attached again`() {
    var machine = live()
    func attaches(_ steps: [SyncStep]) -> Bool {
      steps.contains { if case .action(.send(_, .attach)) = $0 { true } else { false } }
    }
    let named = machine.received(page(from: 1, to: 2, [group]), replyTo: 0, using: &generator)
    let same = machine.received(page(from: 2, to: 3, [group]), replyTo: 0, using: &generator)
    let restored = machine.received(
      page(from: 3, to: 4, [group], of: Incarnation(10)), replyTo: 0, using: &generator)
    #expect(attaches(named) && !attaches(same) && attaches(restored))
  }

  @Test mutating func `the history of a new group is noted with the group`() {
    var machine = live()
    _ = machine.received(page(from: 1, to: 2, [group]), replyTo: 0, using: &generator)
    let other = BrokerMessage.level(
      zone: group.resolved(for: account), incarnation: Incarnation(10), head: .zero,
      scanStart: .zero)
    let steps = machine.received(other, replyTo: 0, using: &generator)
    #expect(steps.contains(.store(.reread(group, sweep: .restored))))
  }
}
