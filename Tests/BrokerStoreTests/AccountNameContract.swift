// Every store: account names that are in use, and reserved ones that no client may choose.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("Names of accounts in a store")
struct AccountNameContract {
  @Test(arguments: StoreKind.allCases)
  func `a user whose derived name is in use gets another name and keeps it`(
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
  func `an account cannot take another user's derived name`(kind: StoreKind) throws {
    var committer = Committer(
      store: try kind.make(), generator: SystemRandomNumberGenerator())
    let refused = committer.perform(
      [signIn(uid: 5, name: "user-12347", key: 1)], at: time(2))
    guard case .signedIn(.failure(let error), _) = refused[0] else {
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
      [.administer(order, ConnectionID(9), replyTo: 1)], at: time(2))
    guard case .administered(let result, _, _) = results[0] else {
      throw RecordsError(.internalError, "\(results)")
    }
    _ = try result.get()
  }

  /// Adds an account like an earlier broker, which reserved no names.
  private func take(_ name: String, asUID uid: UInt32, in store: any RecordStore) throws {
    guard case .signIn(let request, _) = signIn(uid: uid, key: 9) else { return }
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
      SignInRequest(
        peer: .localUser(uid), maySpeakForOthers: false, accountsAreOpen: true, hello: hello,
        deviceKeyDigest: [key]), ConnectionID(1))
  }

  private func name(of results: [StorageResult]) throws -> String {
    guard case .signedIn(.success(let signedIn), _) = results[0] else {
      throw RecordsError(.internalError, "\(results)")
    }
    return signedIn.accountName
  }
}
