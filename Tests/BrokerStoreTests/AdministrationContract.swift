// What every store makes of an administrator's orders.

import BrokerCore
import BrokerStore
import FoundationEssentials
import Records
import Testing

@Suite("K5, I21, I24 administration contract")
struct AdministrationContract {
  private func give(
    _ order: AdministrativeRequest, _ client: inout StoreClient
  ) throws -> AdministrationOutcome {
    let request = StorageRequest.administer(ConnectionID(9), replyTo: 1, order)
    let results = client.committer.perform([request], at: time(50))
    guard case .administered(_, _, let result) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    return try result.get()
  }

  @Test(arguments: StoreKind.allCases)
  func `a write queued behind its revocation is refused`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")])
    let revocation = StorageRequest.administer(
      ConnectionID(9), replyTo: 1, .revokeDevice(client.identity.device))
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("b")])])
    let results = client.committer.perform([revocation, write], at: time(3))
    guard case .administered(_, _, .success(let outcome)) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    #expect(outcome.expelled == .device(client.identity.deviceKey))
    guard case .modifyRefused(_, _, let error, _) = results[1] else {
      throw RecordsError(.internalError, "\(results[1])")
    }
    #expect(error.code == .notAuthenticated)
    #expect(try client.page().changes.map(\.name.text) == ["a"])
    #expect(throws: RecordsError.self) { _ = try client.signInAgain() }
  }

  @Test(arguments: StoreKind.allCases)
  func
    `a write queued behind the rotation of its device's key is refused, and sent again it is done`(
      kind: StoreKind
    ) throws
  {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")])
    let rotation = StorageRequest.administer(
      ConnectionID(9), replyTo: 1, .rotateKey(client.identity.device, digest: [5]))
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("b")])])
    let results = client.committer.perform([rotation, write], at: time(3))
    guard case .administered(_, _, .success(let outcome)) = results[0],
      case .modifyRefused = results[1]
    else { throw RecordsError(.internalError, "\(results)") }
    #expect(outcome.expelled == .formerKey(of: client.identity.deviceKey))
    #expect(outcome.expelled?.reason.reason == "wrongKey")
    #expect(try client.page().changes.map(\.name.text) == ["a"])
    #expect(throws: RecordsError.self) { _ = try client.signInAgain() }
    let again = try StoreClient.signIn(
      &client.committer, account: "ada", key: [5], device: client.identity.device)
    #expect(again.identity.deviceKey == client.identity.deviceKey)
    #expect(again.lastNumber == RequestNumber(1), "nothing of the refused write was used up")
    guard case .modifyRefused = client.committer.perform([write], at: time(4))[0],
      case .modify(_, _, _, let request, _) = write
    else { throw RecordsError(.internalError, "The former key wrote after the new one signed in.") }
    let resent = StorageRequest.modify(
      ConnectionID(2), replyTo: 1, again.identity, request, byteCount: 0)
    _ = try StoreClient.outcome(client.committer.perform([resent], at: time(4))[0])
    #expect(try client.page().changes.map(\.name.text) == ["a", "b"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a key is made for a device that is known and not revoked`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    var other = try StoreClient(client.store, key: [2])
    let unknown = #expect(throws: RecordsError.self) {
      _ = try give(.rotateKey(DeviceID(99), digest: [5]), &client)
    }
    #expect(unknown?.code == .unknownItem)
    _ = try give(.revokeDevice(other.identity.device), &client)
    let revoked = #expect(throws: RecordsError.self) {
      _ = try give(.rotateKey(other.identity.device, digest: [5]), &client)
    }
    #expect(revoked?.code == .constraintViolation)
    #expect(throws: RecordsError.self) { _ = try other.signInAgain() }
  }

  @Test(arguments: StoreKind.allCases)
  func `a write that shares its transaction with a revocation stays, and others go on`(
    kind: StoreKind
  ) throws {
    let store = try kind.make()
    var client = try StoreClient(store, key: [1])
    var other = try StoreClient(store, key: [2])
    _ = try client.modify([save("a")])
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("b")])])
    let revocation = StorageRequest.administer(
      ConnectionID(9), replyTo: 1, .revokeDevice(other.identity.device))
    let results = client.committer.perform([write, revocation], at: time(3))
    guard case .modified(_, _, _, let effects, _) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    #expect(effects.zones.first?.zone.head == Revision(2))
    let (_, later) = try client.modify([save("c")])
    #expect(later.zones.first?.from == Revision(2))
    #expect(try client.page().changes.map(\.tag.value) == [1, 2, 3])
    #expect(throws: RecordsError.self) { _ = try other.signInAgain() }
  }

  @Test(arguments: StoreKind.allCases)
  func `what a device asked for before it was revoked is not done after`(kind: StoreKind) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    _ = try give(.revokeDevice(world.reader.identity.device), &world.writer)
    #expect(throws: RecordsError.self) { _ = try world.reader.follow() }
    try world.reader.unsubscribe("s")
    #expect(try world.writer.listed() == ["s"])
  }

  @Test(arguments: StoreKind.allCases)
  func `greetings make only so many containers, and administrators any number`(
    kind: StoreKind
  ) throws {
    let store = try kind.make()
    var client = try StoreClient(store)
    for index in 1..<BrokerLimits.containersMadeByGreetings {
      _ = try StoreClient(store, key: [UInt8(index)], container: "c\(index)")
    }
    #expect(throws: RecordsError.self) {
      _ = try StoreClient(store, key: [200], container: "another")
    }
    _ = try give(.addContainer(name: "another"), &client)
    _ = try StoreClient(store, key: [200], container: "another")
  }

  @Test(arguments: StoreKind.allCases)
  func `a disabled account signs in again once it is enabled`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let disabled = try give(.setAccount(name: "ada", isDisabled: true), &client)
    #expect(disabled.expelled == .account(client.identity.accountKey))
    #expect(throws: RecordsError.self) { _ = try client.signInAgain() }
    let twice = try give(.setAccount(name: "ada", isDisabled: true), &client)
    #expect(twice.expelled == nil)
    _ = try give(.setAccount(name: "ada", isDisabled: false), &client)
    let again = try client.signInAgain()
    #expect(again.identity == client.identity)
  }

  @Test(arguments: StoreKind.allCases)
  func `an account is added once, and its user is it`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try give(.addAccount(name: "grace", uid: 4711), &client)
    for order in [
      AdministrativeRequest.addAccount(name: "grace", uid: nil),
      .addAccount(name: "joan", uid: 4711), .addAccount(name: "", uid: nil),
      .setAccount(name: "nobody", isDisabled: true), .revokeDevice(DeviceID(99)),
    ] {
      #expect(throws: RecordsError.self, "\(order)") { _ = try give(order, &client) }
    }
    let hello = Hello(
      version: 1, container: "contacts", accountName: nil, deviceName: "desk", device: nil,
      deviceKey: [7], lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [])
    let request = SignInRequest(
      uid: 4711, maySpeakForOthers: false, accountsAreOpen: false, hello: hello,
      deviceKeyDigest: [7])
    let results = client.committer.perform([.signIn(ConnectionID(2), request)], at: time(60))
    guard case .signedIn(_, let signedIn) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    #expect(signedIn.accountName == "grace")
  }

  @Test(arguments: StoreKind.allCases)
  func `an order that is refused holds up nobody in its transaction`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let order = StorageRequest.administer(
      ConnectionID(9), replyTo: 1, .revokeDevice(DeviceID(99)))
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("a")])])
    _ = client.committer.perform([order, write], at: time(3))
    #expect(try client.page().changes.map(\.name.text) == ["a"])
  }

  @Test func `what was watched of the clock is remembered across a restart, until it is confirmed`()
    throws
  {
    let path = try StoreKind.newPath()
    let day: Int64 = 86_400
    func look(_ seconds: Int64) throws -> (movement: WatchedTime.Movement, watched: WatchedTime) {
      let store = try SQLiteRecordStore(path: path)
      return try store.transact {
        try $0.watchClock(time(seconds), forgettingAfterSeconds: 90 * day)
      }
    }
    #expect(try look(100 * day - 3000).movement == .on)
    #expect(try look(100 * day).movement == .on)
    #expect(try look(103 * day).movement == .ahead(seconds: 3 * day))
    let later = try look(103 * day + 600)
    #expect(later.movement == .on)
    #expect(later.watched.old(afterSeconds: 1200).before == time(100 * day - 600))
    #expect(try look(102 * day).movement == .back(seconds: day + 600))
    #expect(try look(102 * day + 60).watched.setBack == time(102 * day))
    var committer = Committer(
      store: try SQLiteRecordStore(path: path), generator: SystemRandomNumberGenerator())
    _ = committer.perform(
      [.administer(ConnectionID(1), replyTo: 1, .confirmClock)], at: time(102 * day + 61))
    let confirmed = try look(102 * day + 90).watched
    #expect(confirmed.gaps.isEmpty && confirmed.setBack == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `what was written while the clock was ahead does not keep older things from going`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let names = (0..<30).map { "r\($0)" }
    _ = try client.modify(names.map { save($0) }, at: time(1))
    // Ten are changed a year ahead, ten behind that at the right time.
    for (index, seconds) in [(0, 400_000_000), (10, 100), (20, 200)] as [(Int, Int64)] {
      let changes = names[index..<index + 10].enumerated().map { place, name in
        save(name, tag: Int64(index + place + 1), ["n": .int64(1)])
      }
      _ = try client.modify(changes, at: time(seconds))
    }
    func history() throws -> [Int] {
      try [0, 10, 20].map { index in
        let id = RecordID(zone: .standard, name: RecordName(stored: names[index]))
        return try client.store.history(id, below: nil, of: client.identity).states.count
      }
    }
    func reap(_ old: OldTimes) throws {
      while try client.store.transact({ try $0.reapPast(old, rowsMaximum: 3) }) {}
    }
    try reap(OldTimes(before: time(150), present: time(300)))
    #expect(try history() == [1, 0, 1])
    try reap(OldTimes(before: time(150), present: time(300), isAheadOld: true))
    #expect(try history() == [0, 0, 1])
  }
}
