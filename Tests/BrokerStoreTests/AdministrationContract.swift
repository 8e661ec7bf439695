// Every store: administrative requests.

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
    let request = StorageRequest.administer(order, ConnectionID(9), replyTo: 1)
    let results = client.committer.perform([request], at: time(50))
    guard case .administered(let result, _, _) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    return try result.get()
  }

  @Test(arguments: StoreKind.allCases)
  func `a write queued after the device's revocation is rejected`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")])
    let revocation = StorageRequest.administer(
      .revokeDevice(client.identity.device), ConnectionID(9), replyTo: 1)
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("b")])])
    let results = client.committer.perform([revocation, write], at: time(3))
    guard case .administered(.success(let outcome), _, _) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    #expect(outcome.expelled == .revoked(client.identity.deviceKey))
    guard case .client(.answered(.error(let error), _), _) = results[1] else {
      throw RecordsError(.internalError, "\(results[1])")
    }
    #expect(error.code == .notAuthenticated)
    #expect(try client.page().changes.map(\.name.text) == ["a"])
    #expect(throws: RecordsError.self) { _ = try client.signInAgain() }
  }

  @Test(arguments: StoreKind.allCases)
  func `a write queued after its device's key was replaced is rejected until it is resent`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")])
    let rotation = StorageRequest.administer(
      .rotateKey(client.identity.device, digest: [5]), ConnectionID(9), replyTo: 1)
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("b")])])
    let results = client.committer.perform([rotation, write], at: time(3))
    guard case .administered(.success(let outcome), _, _) = results[0],
      case .client(.answered(.error, _), _) = results[1]
    else { throw RecordsError(.internalError, "\(results)") }
    #expect(outcome.expelled == .formerKey(of: client.identity.deviceKey))
    #expect(outcome.expelled?.reason.reason == "wrongKey")
    #expect(try client.page().changes.map(\.name.text) == ["a"])
    #expect(throws: RecordsError.self) { _ = try client.signInAgain() }
    let again = try StoreClient.signIn(
      &client.committer, account: "ada", key: [5], device: client.identity.device)
    #expect(again.identity.deviceKey == client.identity.deviceKey)
    #expect(again.lastNumber == RequestNumber(1), "nothing of the refused write was used up")
    guard case .client(.answered(.error, _), _) = client.committer.perform([write], at: time(4))[0],
      case .client(.modify(let request), _) = write
    else { throw RecordsError(.internalError, "The former key wrote after the new one signed in.") }
    let resent = StorageRequest.client(
      .modify(request),
      RequestContext(connection: ConnectionID(2), replyTo: 1, identity: again.identity))
    _ = try StoreClient.outcome(client.committer.perform([resent], at: time(4))[0])
    #expect(try client.page().changes.map(\.name.text) == ["a", "b"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a device's key can be replaced if the device is known and not revoked`(kind: StoreKind)
    throws
  {
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
  func `a write in the transaction of a revocation is applied, and other devices continue`(
    kind: StoreKind
  ) throws {
    let store = try kind.make()
    var client = try StoreClient(store, key: [1])
    var other = try StoreClient(store, key: [2])
    _ = try client.modify([save("a")])
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("b")])])
    let revocation = StorageRequest.administer(
      .revokeDevice(other.identity.device), ConnectionID(9), replyTo: 1)
    let results = client.committer.perform([write, revocation], at: time(3))
    guard case .client(.modified(_, let effects), _) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    #expect(effects.zones.first?.zone.head == Revision(2))
    let (_, later) = try client.modify([save("c")])
    #expect(later.zones.first?.from == Revision(2))
    #expect(try client.page().changes.map(\.tag.value) == [1, 2, 3])
    #expect(throws: RecordsError.self) { _ = try other.signInAgain() }
  }

  @Test(arguments: StoreKind.allCases)
  func `a request queued before a revocation is not applied after it`(kind: StoreKind) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    _ = try give(.revokeDevice(world.reader.identity.device), &world.writer)
    #expect(throws: RecordsError.self) { _ = try world.reader.follow() }
    try world.reader.unsubscribe("s")
    #expect(try world.writer.listed() == ["s"])
  }

  @Test(arguments: StoreKind.allCases)
  func `greetings create containers up to a limit, administrators without one`(
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

  /// Signs in as a user of the machine, without naming an account, and returns the account's name or the error's code.
  private func signIn(uid: UInt32, _ client: inout StoreClient) -> String {
    let hello = Hello(
      version: 1, container: "contacts", accountName: nil, deviceName: "desk", device: nil,
      deviceKey: [UInt8(uid & 255)], lastNumber: .zero, acknowledged: .zero, directory: .zero,
      zones: [])
    let request = SignInRequest(
      peer: .localUser(uid), maySpeakForOthers: false, accountsAreOpen: false, hello: hello,
      deviceKeyDigest: hello.deviceKey)
    let results = client.committer.perform([.signIn(request, ConnectionID(2))], at: time(60))
    guard case .signedIn(let result, _)? = results.first else { return "nothing" }
    switch result {
    case .success(let signedIn): return signedIn.accountName
    case .failure(let error): return "\(error.code)"
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `one more user of the machine is let in to one account, and to no other`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try give(.addAccount(name: "grace", uid: 4711), &client)
    #expect(signIn(uid: 4712, &client) == "notAuthenticated")
    for _ in 1...2 {
      _ = try give(.allowUser(4712, account: "grace", isAllowed: true), &client)
    }
    #expect(signIn(uid: 4712, &client) == "grace" && signIn(uid: 4711, &client) == "grace")
    for order in [
      AdministrativeRequest.allowUser(4712, account: "ada", isAllowed: true),
      .allowUser(4713, account: "joan", isAllowed: true),
      .allowUser(65534, account: "grace", isAllowed: true),
    ] {
      #expect(throws: RecordsError.self, "\(order)") { _ = try give(order, &client) }
    }
    for _ in 1...2 {
      _ = try give(.allowUser(4712, account: "grace", isAllowed: false), &client)
    }
    #expect(signIn(uid: 4714, &client) == "notAuthenticated")
    #expect(signIn(uid: 4712, &client) == "notAuthenticated", "a new device of the user")
    #expect(signIn(uid: 4711, &client) == "grace")
  }

  @Test(arguments: StoreKind.allCases)
  func `an account is added once, and its user signs in to it`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try give(.addAccount(name: "grace", uid: 4711), &client)
    for order in [
      AdministrativeRequest.addAccount(name: "grace", uid: nil),
      .addAccount(name: "joan", uid: 4711), .addAccount(name: "", uid: nil),
      .setAccount(name: "alan", isDisabled: true), .revokeDevice(DeviceID(99)),
    ] {
      #expect(throws: RecordsError.self, "\(order)") { _ = try give(order, &client) }
    }
    let hello = Hello(
      version: 1, container: "contacts", accountName: nil, deviceName: "desk", device: nil,
      deviceKey: [7], lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [])
    let request = SignInRequest(
      peer: .localUser(4711), maySpeakForOthers: false, accountsAreOpen: false, hello: hello,
      deviceKeyDigest: [7])
    let results = client.committer.perform([.signIn(request, ConnectionID(2))], at: time(60))
    guard case .signedIn(.success(let signedIn), _) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    #expect(signedIn.accountName == "grace")
  }

  @Test(arguments: StoreKind.allCases)
  func `a rejected administrative request does not fail others in its transaction`(kind: StoreKind)
    throws
  {
    var client = try StoreClient(try kind.make())
    let order = StorageRequest.administer(.revokeDevice(DeviceID(99)), ConnectionID(9), replyTo: 1)
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("a")])])
    _ = client.committer.perform([order, write], at: time(3))
    #expect(try client.page().changes.map(\.name.text) == ["a"])
  }

  @Test func `the observed time survives a restart, until an administrator confirms the clock`()
    throws
  {
    let path = try StoreKind.newPath()
    let day: Int64 = 86_400
    func look(_ seconds: Int64) throws -> (movement: ObservedClock.Movement, watched: ObservedClock)
    {
      let store = try SQLiteRecordStore(path: path)
      return try store.transact {
        try $0.observeClock(time(seconds), forgettingAfterSeconds: 90 * day)
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
      [.administer(.confirmClock, ConnectionID(1), replyTo: 1)], at: time(102 * day + 61))
    let confirmed = try look(102 * day + 90).watched
    #expect(confirmed.gaps.isEmpty && confirmed.setBack == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `versions written while the clock was ahead do not delay the expiry of others`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let names = (0..<30).map { "r\($0)" }
    _ = try client.modify(names.map { save($0) }, at: time(1))
    // Ten are changed while the clock is a year ahead, then twenty at correct times.
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
    func reap(_ old: AgeCutoff) throws {
      while try client.store.transact({ try $0.expireHistory(old, rowsMaximum: 3) }) {}
    }
    try reap(AgeCutoff(before: time(150), present: time(300)))
    #expect(try history() == [1, 0, 1])
    try reap(AgeCutoff(before: time(150), present: time(300), includesFuture: true))
    #expect(try history() == [0, 0, 1])
  }
}
