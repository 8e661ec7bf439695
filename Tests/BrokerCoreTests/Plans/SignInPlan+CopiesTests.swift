// A copied device that has become a new one signs in for the first time.

import BrokerCore
import Records
import Testing

@Suite("I20, R3 sign in of a copied device")
struct SignInPlanCopiesTests {
  private let account = StoredAccount(key: 1, id: ada, name: "ada", isDisabled: false)
  private let remote = Peer.remote(RemoteNetwork(ipv4: [192, 0, 2, 7]))

  @Test func `a copy with its former device's key is registered under the same account`() {
    #expect(plan(remote, key: [1], device()) == .register(account: .existing(account)))
    #expect(
      plan(remote, key: [1], device(), name: "ada") == .register(account: .existing(account)))
  }

  @Test func `a wrong key, and an unknown former device, are as if none was named`() {
    #expect(refusal(plan(remote, key: [2], device()))?.reason == "unknownDevice")
    #expect(refusal(plan(remote, key: nil, device()))?.reason == "unknownDevice")
    #expect(refusal(plan(remote, key: [1], nil))?.reason == "unknownDevice")
  }

  @Test func `a copy is refused as its former device would be`() {
    #expect(refusal(plan(remote, key: [1], device(isRevoked: true)))?.reason == "revoked")
    #expect(refusal(plan(remote, key: [1], .removed))?.reason == "revoked")
    #expect(refusal(plan(remote, key: [1], device(isDisabled: true)))?.reason == "disabled")
    #expect(refusal(plan(remote, key: [1], device(), name: "bob"))?.reason == "otherAccount")
  }

  @Test func `an invitation admits a copy of a removed device`() {
    let plan = plan(remote, key: [1], .removed, credential: account)
    #expect(plan == .register(account: .existing(account)))
  }

  @Test func `a local copy belongs to its former device's account, whatever its user's is`() {
    let bobs = StoredAccount(key: 2, id: bob, name: "bob", isDisabled: false)
    let user = Peer.localUser(1000)
    let registered = SignInPlan.register(account: .existing(account))
    #expect(plan(user, key: [1], device(), credential: bobs) == registered)
    #expect(plan(user, key: [1], device()) == registered)
    #expect(
      plan(user, key: [2], device(), credential: bobs) == .register(account: .existing(bobs)))
  }

  @Test func `the broker passes on the digest of the former key`() {
    var small = SmallBroker()
    let connection = ConnectionID(1)
    _ = small.broker.handle(.opened(connection, remote))
    let actions = small.say(.hello(hello(name: nil)), from: connection)
    guard case .store(.signIn(let request, connection))? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(request.formerKeyDigest == [7])
  }

  // MARK: -

  private func device(isRevoked: Bool = false, isDisabled: Bool = false) -> FormerDeviceRow {
    .known(
      StoredDevice(
        key: 1, account: StoredAccount(key: 1, id: ada, name: "ada", isDisabled: isDisabled),
        keyDigest: [1], isRevoked: isRevoked))
  }

  private func hello(name: String?) -> Hello {
    Hello(
      version: 1, container: "contacts", accountName: name, deviceName: "laptop", device: nil,
      deviceKey: [9], lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [],
      formerDevice: FormerDevice(DeviceID(1), key: [7]))
  }

  private func plan(
    _ peer: Peer, key: [UInt8]?, _ former: FormerDeviceRow?, name: String? = nil,
    credential: StoredAccount? = nil
  ) -> SignInPlan {
    let request = SignInRequest(
      peer: peer, maySpeakForOthers: false, accountsAreOpen: false, hello: hello(name: name),
      deviceKeyDigest: [9], formerKeyDigest: key)
    return SignInPlan(
      request,
      gathered: SignInRows(
        device: nil, namedAccount: nil, credentialAccount: credential, formerDevice: former))
  }

  private func refusal(_ plan: SignInPlan) -> RecordsError? {
    guard case .refuse(let error) = plan else { return nil }
    return error
  }
}
