// The account that a new connection belongs to.

import BrokerCore
import Records
import Testing

@Suite("K1 sign in")
struct SignInPlanTests {
  private let adaAccount = StoredAccount(key: 1, id: ada, name: "ada", isDisabled: false)

  @Test func `the overflow uid is refused`() {
    let plan = plan(uid: SignInPlan.overflowUID, trusted: true, name: "ada", open: true)
    #expect(code(plan) == .notAuthenticated)
  }

  @Test func `a trusted uid can name any account and creates it if needed`() {
    #expect(
      plan(trusted: true, name: "ada") == .register(account: .new(name: "ada", uid: nil)))
    #expect(
      plan(trusted: true, name: "ada", named: adaAccount)
        == .register(account: .existing(adaAccount)))
  }

  @Test func `an untrusted uid cannot use the name of another user's account`() {
    let plan = plan(name: "ada", open: true, named: adaAccount)
    #expect(code(plan) == .permissionFailure)
  }

  @Test func `an unknown uid gets a new account only if accounts are open`() {
    #expect(code(plan(name: nil)) == .notAuthenticated)
    #expect(
      plan(name: nil, open: true) == .register(account: .new(name: "user-1000", uid: 1000)))
  }

  @Test func `a known uid can sign in to its own account only`() {
    #expect(
      plan(name: nil, credential: adaAccount) == .register(account: .existing(adaAccount)))
    #expect(code(plan(name: "bob", credential: adaAccount)) == .permissionFailure)
  }

  @Test func `a device is identified by its key, regardless of its uid`() {
    let device = StoredDevice(
      key: 1, account: adaAccount, keyDigest: [1, 2], isRevoked: false)
    #expect(plan(digest: [1, 2], device: device) == .known(device))
    #expect(code(plan(digest: [1, 3], device: device)) == .notAuthenticated)
    #expect(code(plan(digest: [1], device: device)) == .notAuthenticated)
  }

  @Test func `a device cannot sign in to another account by naming it`() {
    let device = StoredDevice(key: 1, account: adaAccount, keyDigest: [1], isRevoked: false)
    #expect(
      code(plan(trusted: true, name: "bob", digest: [1], device: device)) == .permissionFailure)
  }

  @Test func `a revoked device and a disabled account are refused`() {
    let revoked = StoredDevice(key: 1, account: adaAccount, keyDigest: [1], isRevoked: true)
    #expect(code(plan(digest: [1], device: revoked)) == .notAuthenticated)
    let disabled = StoredAccount(key: 1, id: ada, name: "ada", isDisabled: true)
    #expect(code(plan(trusted: true, name: "ada", named: disabled)) == .notAuthenticated)
  }

  @Test func `an account's name has a minimum and a maximum length`() {
    #expect(code(plan(trusted: true, name: "")) == .invalidArguments)
    let long = String(repeating: "x", count: Limits.titleBytes + 1)
    #expect(code(plan(trusted: true, name: long)) == .invalidArguments)
  }

  @Test func `a user whose derived name is in use still gets an account`() {
    #expect(
      plan(name: nil, open: true, derivedName: "user-1000-ab3d")
        == .register(account: .new(name: "user-1000-ab3d", uid: 1000)))
    #expect(code(plan(name: nil, open: true, derivedName: nil)) == .permissionFailure)
  }

  @Test(arguments: ["user-12347", "user-0", "user-01000", "deleted ", "deleted 00ff", "a\u{7}"])
  func `a reserved name is refused, also to a trusted uid`(name: String) {
    #expect(code(plan(name: name, open: true)) == .invalidArguments)
    #expect(code(plan(trusted: true, name: name)) == .invalidArguments)
  }

  @Test(arguments: ["user-1000", "user-", "user-1000-ab3d", "user-x1", "deleted", "undeleted one"])
  func `a user may choose its own derived name and names that only resemble reserved ones`(
    name: String
  ) {
    #expect(plan(name: name, open: true) == .register(account: .new(name: name, uid: 1000)))
  }

  private func plan(
    uid: UInt32 = 1000, trusted: Bool = false, name: String? = nil, open: Bool = false,
    digest: [UInt8] = [], device: StoredDevice? = nil, named: StoredAccount? = nil,
    credential: StoredAccount? = nil, derivedName: String? = "user-1000"
  ) -> SignInPlan {
    let hello = Hello(
      version: 1, container: "contacts", accountName: name, deviceName: "laptop",
      device: device == nil ? nil : DeviceID(1), deviceKey: [], lastNumber: .zero,
      acknowledged: .zero, directory: .zero, zones: [])
    let request = SignInRequest(
      peer: .localUser(uid), maySpeakForOthers: trusted, accountsAreOpen: open, hello: hello,
      deviceKeyDigest: digest)
    return SignInPlan(
      request,
      gathered: SignInRows(
        device: device, namedAccount: named, credentialAccount: credential,
        derivedName: derivedName))
  }

  private func code(_ plan: SignInPlan) -> RecordsError.Code? {
    guard case .refuse(let error) = plan else { return nil }
    return error.code
  }
}
