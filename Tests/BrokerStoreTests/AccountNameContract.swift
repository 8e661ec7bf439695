// What every store makes of names that another account has, and of names that no client may choose.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("Names of accounts in a store")
struct AccountNameContract {
  @Test(arguments: StoreKind.allCases)
  func `a user whose derived name another account has gets one of its own, and keeps it`(
    kind: StoreKind
  ) throws {
    let store = try kind.make()
    var committer = Committer(store: store, generator: SystemRandomNumberGenerator())
    try take("user-12347", asUID: 5, in: store)
    let first = try name(of: committer.perform([signIn(uid: 12347, key: 1)], at: time(2)))
    #expect(first.wholeMatch(of: /user-12347-[a-z0-9]{4}/) != nil)
    let again = try name(of: committer.perform([signIn(uid: 12347, key: 2)], at: time(3)))
    #expect(again == first)
    let other = try name(of: committer.perform([signIn(uid: 12348, key: 3)], at: time(3)))
    #expect(other == "user-12348")
  }

  @Test(arguments: StoreKind.allCases)
  func `another user's derived name is refused, and the user it belongs to gets it`(
    kind: StoreKind
  ) throws {
    var committer = Committer(
      store: try kind.make(), generator: SystemRandomNumberGenerator())
    let refused = committer.perform(
      [signIn(uid: 5, name: "user-12347", key: 1)], at: time(2))
    guard case .refused(_, let error) = refused[0] else {
      throw RecordsError(.internalError, "\(refused)")
    }
    #expect(error.code == .invalidArguments)
    let owner = try name(of: committer.perform([signIn(uid: 12347, key: 2)], at: time(3)))
    #expect(owner == "user-12347")
  }

  @Test(
    arguments: [
      AdministrativeRequest.addAccount(name: "user-12347", uid: nil),
      .addAccount(name: "user-12347", uid: 5), .addAccount(name: "deleted one", uid: 5),
    ])
  func `an administrator adds no account under a reserved name`(
    order: AdministrativeRequest
  ) throws {
    #expect(throws: RecordsError.self) { try give(order) }
  }

  @Test func `an administrator adds a user's account under its derived name`() throws {
    try give(.addAccount(name: "user-12347", uid: 12347))
  }

  private func give(_ order: AdministrativeRequest) throws {
    var committer = Committer(
      store: try SQLiteRecordStore(), generator: SystemRandomNumberGenerator())
    let results = committer.perform(
      [.administer(ConnectionID(9), replyTo: 1, order)], at: time(2))
    guard case .administered(_, _, let result) = results[0] else {
      throw RecordsError(.internalError, "\(results)")
    }
    _ = try result.get()
  }

  /// Enters an account as a broker did that reserved no names.
  private func take(_ name: String, asUID uid: UInt32, in store: any RecordStore) throws {
    guard case .signIn(_, let request) = signIn(uid: uid, key: 9) else { return }
    var generator = SystemRandomNumberGenerator()
    _ = try store.transact {
      try $0.register(
        .new(name: name, uid: uid), request,
        identifiers: NewIdentifiers(using: &generator), at: time(1))
    }
  }

  private func signIn(uid: UInt32, name: String? = nil, key: UInt8) -> StorageRequest {
    let hello = Hello(
      version: 1, container: "contacts", accountName: name, deviceName: "desk", device: nil,
      deviceKey: [key], lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [])
    return .signIn(
      ConnectionID(1),
      SignInRequest(
        uid: uid, maySpeakForOthers: false, accountsAreOpen: true, hello: hello,
        deviceKeyDigest: [key]))
  }

  private func name(of results: [StorageResult]) throws -> String {
    guard case .signedIn(_, let signedIn) = results[0] else {
      throw RecordsError(.internalError, "\(results)")
    }
    return signedIn.accountName
  }
}
