// The broker keeps no directory changes in memory for a connection that does not read.

import Records
import Testing

@testable import BrokerCore

@Suite("I18 directory changes for a connection that does not read")
struct DirectoryPushTests {
  private let one = ConnectionID(1)

  private func announce(_ revision: Int64, in world: inout SmallBroker) -> [BrokerAction] {
    let page = DirectoryPage(
      from: Revision(revision - 1), to: Revision(revision),
      entries: [
        DirectoryEntry(
          revision: Revision(revision), zone: ZoneID(owner: identity.account, name: ZoneName(7)),
          title: "\(revision)", role: .owner, isWritable: true,
          incarnation: Incarnation(7), isDeleted: false)
      ])
    let effects = CommitEffects(directories: [
      DirectoryCommit(
        container: identity.container, account: identity.accountKey, page: page)
    ])
    return world.broker.handle(
      .stored([client(.answered(.subscriptionSaved, effects), ConnectionID(9))]))
  }

  private func pushed(_ actions: [BrokerAction]) -> Int {
    actions.count { if case .broadcast(.directory, to: [one]) = $0 { true } else { false } }
  }

  private func reads(_ actions: [BrokerAction]) -> Int {
    actions.count { if case .read(.directory(_, one)) = $0 { true } else { false } }
  }

  @Test func `changes are omitted, and the directory is read once when the connection is writable`()
  {
    var world = SmallBroker()
    world.open(one)
    #expect(pushed(announce(1, in: &world)) == 1)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: false))
    for revision in 2...1000 { #expect(announce(Int64(revision), in: &world).isEmpty) }
    #expect(reads(world.broker.handle(.writabilityChanged(one, isWritable: true))) == 1)
    let page = DirectoryPage(from: .zero, to: Revision(1000), entries: [])
    #expect(pushed(world.broker.handle(.read(.directory(page, one)))) == 1)
    #expect(pushed(announce(1001, in: &world)) == 1)
  }

  @Test func `a directory that changes while it is read is read again`() {
    var world = SmallBroker()
    world.open(one)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: false))
    _ = announce(1, in: &world)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: true))
    #expect(pushed(announce(2, in: &world)) == 0)
    let page = DirectoryPage(from: .zero, to: Revision(1), entries: [])
    let actions = world.broker.handle(.read(.directory(page, one)))
    #expect(pushed(actions) == 1 && reads(actions) == 1)
  }

  @Test func `the changes of one transaction form one page with the final state`() {
    func page(_ revision: Int64, zone: Int64, title: String) -> DirectoryCommit {
      DirectoryCommit(
        container: identity.container, account: identity.accountKey,
        page: DirectoryPage(
          from: Revision(revision - 1), to: Revision(revision),
          entries: [
            DirectoryEntry(
              revision: Revision(revision),
              zone: ZoneID(owner: identity.account, name: ZoneName(UInt128(zone))), title: title,
              role: .owner, isWritable: true, incarnation: Incarnation(7), isDeleted: false)
          ]))
    }
    let commits = [
      page(1, zone: 7, title: "a"), page(2, zone: 8, title: "b"), page(3, zone: 7, title: "c"),
      page(5, zone: 8, title: "d"),
    ]
    let joined = DirectoryCommit.joined(commits).map(\.page)
    #expect(joined.map(\.from) == [.zero, Revision(4)])
    #expect(joined.first?.entries.map(\.title) == ["b", "c"])
    let many = (1...100).map { page(Int64($0), zone: Int64($0), title: "") }
    #expect(DirectoryCommit.joined(many).map(\.page.entries.count) == [64, 36])
  }

  @Test func `a greeting that missed many changes gets the directory after its welcome`() {
    var world = SmallBroker()
    let actions = world.open(one, isDirectoryLeftOut: true)
    #expect(world.messages(in: actions).map(world.name) == ["welcome"])
    #expect(reads(actions) == 1)
    let page = DirectoryPage(from: .zero, to: Revision(1000), entries: [])
    #expect(pushed(world.broker.handle(.read(.directory(page, one)))) == 1)
  }

  @Test func `the broker reads the directory for a few connections that do not read`() {
    var world = SmallBroker()
    let maximum = BrokerLimits.answeredConnectionsPerAccount
    var begun = 0
    for value in 1...maximum + 5 {
      let actions = world.open(ConnectionID(value), isDirectoryLeftOut: true)
      begun += world.reads(in: actions).count
    }
    #expect(begun == maximum)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: false))
    let page = DirectoryPage(from: .zero, to: Revision(1000), entries: [])
    let first = world.broker.handle(.read(.directory(page, one)))
    #expect(world.reads(in: first).isEmpty)
    let second = world.broker.handle(.read(.directory(page, ConnectionID(2))))
    #expect(world.reads(in: second).count == 1)
  }

  @Test func `a directory that could not be read is read at the next tick`() {
    var world = SmallBroker()
    world.open(one)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: false))
    _ = announce(1, in: &world)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: true))
    #expect(world.broker.handle(.read(.directory(nil, one))).isEmpty)
    #expect(pushed(announce(2, in: &world)) == 0)
    #expect(reads(world.broker.handle(.ticked(seconds: 1))) == 1)
  }

  @Test func `a pushed directory does not answer a request with the number 0`() {
    var world = SmallBroker()
    world.open(one, isDirectoryLeftOut: true)
    #expect(world.reads(in: world.say(.zones, from: one, number: 0)).count == 1)
    let page = DirectoryPage(from: .zero, to: Revision(1), entries: [])
    #expect(pushed(world.broker.handle(.read(.directory(page, one)))) == 1)
    let answer = world.broker.handle(
      .read(.client(.directory(page), .directory, context(one, replyTo: 0))))
    #expect(world.messages(in: answer).map(world.name) == ["directory"])
  }
}
