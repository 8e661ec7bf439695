// Every store: a copied device that has become a new one signs in without an invitation.

import BrokerCore
import BrokerStore
import Foundation
import Records
import Testing

@Suite("I20, R3 copied device contract")
struct CopiedDeviceContract {
  private static let newKey = [UInt8](repeating: 9, count: 32)
  private let remote = Peer.remote(RemoteNetwork(ipv4: [192, 0, 2, 7]))

  /// A store with a device of ada, whose key is 1, and one of bob, whose key is 3.
  private struct World {
    var ada: StoreClient
    let bob: StoreClient

    init(_ store: any RecordStore) throws {
      ada = try StoreClient(store)
      bob = try StoreClient(store, account: "bob", key: [3])
    }

    var former: FormerDevice { FormerDevice(ada.identity.device, key: [1]) }

    mutating func signIn(
      _ peer: Peer, _ former: FormerDevice?, key: [UInt8] = CopiedDeviceContract.newKey,
      name: String? = "ada", device: DeviceID? = nil
    ) throws -> Result<SignedIn, RecordsError> {
      let hello = Hello(
        version: 1, container: "contacts", accountName: name, deviceName: "laptop", device: device,
        deviceKey: key, lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [],
        formerDevice: former)
      let request = SignInRequest(
        peer: peer, maySpeakForOthers: false, accountsAreOpen: false, hello: hello,
        deviceKeyDigest: key, formerKeyDigest: former?.key)
      let results = ada.committer.perform([.signIn(request, ConnectionID(8))], at: time(5))
      guard case .signedIn(let result, _) = results[0] else {
        throw RecordsError(.internalError, "\(results)")
      }
      return result
    }

    mutating func administer(_ request: AdministrativeRequest) {
      _ = ada.committer.perform([.administer(request, ConnectionID(9), replyTo: 1)], at: time(4))
    }
  }

  private func reason(_ result: Result<SignedIn, RecordsError>) -> String? {
    guard case .failure(let error) = result else { return nil }
    return error.reason
  }

  @Test(arguments: StoreKind.allCases)
  func `a copy becomes a new device of the account, also when its welcome is lost`(
    kind: StoreKind
  ) throws {
    var world = try World(kind.make())
    let copy = try world.signIn(remote, world.former).get()
    #expect(copy.identity.account == world.ada.identity.account && copy.accountName == "ada")
    #expect(copy.identity.device != world.ada.identity.device && copy.lastNumber == .zero)
    for peer in [remote, .localUser(1000)] {
      let again = try world.signIn(peer, world.former).get()
      #expect(again.identity == copy.identity)
    }
    let known = try world.signIn(remote, nil, device: copy.identity.device).get()
    #expect(known.identity == copy.identity)
    #expect(try world.ada.signInAgain().identity == world.ada.identity)
  }

  @Test(arguments: StoreKind.allCases)
  func `each copy of a device becomes a device of its own`(kind: StoreKind) throws {
    var world = try World(kind.make())
    let first = try world.signIn(remote, world.former, key: [5]).get()
    let second = try world.signIn(remote, world.former, key: [6]).get()
    // The copy of a copy.
    let third = try world.signIn(
      remote, FormerDevice(second.identity.device, key: [6]), key: [7]
    ).get()
    let devices = Set([first, second, third].map(\.identity.device))
    #expect(devices.count == 3 && !devices.contains(world.ada.identity.device))
    #expect(Set(third.directory.devices.map(\.id)) == devices.union([world.former.device]))
  }

  @Test(arguments: StoreKind.allCases)
  func `the id and the key must be of one device`(kind: StoreKind) throws {
    var world = try World(kind.make())
    let (ada, bob) = (world.ada.identity.device, world.bob.identity.device)
    let wrong = [
      FormerDevice(ada, key: [2]), FormerDevice(DeviceID(99), key: [1]),
      FormerDevice(bob, key: [1]), FormerDevice(ada, key: [3]),
    ]
    for former in wrong {
      #expect(reason(try world.signIn(remote, former)) == "unknownDevice")
    }
    #expect(reason(try world.signIn(remote, nil)) == "unknownDevice")
  }

  @Test(arguments: StoreKind.allCases)
  func `a copy belongs to no other account than its former device`(kind: StoreKind) throws {
    var world = try World(kind.make())
    #expect(reason(try world.signIn(remote, world.former, name: "bob")) == "otherAccount")
    let bobs = FormerDevice(world.bob.identity.device, key: [3])
    let copy = try world.signIn(remote, bobs, name: nil).get()
    #expect(copy.identity.account == world.bob.identity.account)
  }

  @Test(arguments: StoreKind.allCases)
  func `a former key that was replaced is worth nothing`(kind: StoreKind) throws {
    var world = try World(kind.make())
    world.administer(.rotateKey(world.former.device, digest: [4]))
    #expect(reason(try world.signIn(remote, world.former)) == "unknownDevice")
    let replaced = FormerDevice(world.former.device, key: [4])
    #expect(try world.signIn(remote, replaced).get().accountName == "ada")
  }

  @Test(arguments: StoreKind.allCases)
  func `a copy of a removed device, or of a disabled account, is refused`(kind: StoreKind) throws {
    var world = try World(kind.make())
    let copy = try world.signIn(remote, world.former, key: [5]).get()
    world.administer(.setAccount(name: "ada", isDisabled: true))
    #expect(reason(try world.signIn(remote, world.former)) == "disabled")
    world.administer(.setAccount(name: "ada", isDisabled: false))
    world.administer(.revokeDevice(world.former.device))
    #expect(reason(try world.signIn(remote, world.former)) == "revoked")
    #expect(reason(try world.signIn(.localUser(1000), world.former)) == "revoked")
    // A copy that was registered before is a device of its own.
    let known = try world.signIn(remote, nil, key: [5], device: copy.identity.device).get()
    #expect(known.identity == copy.identity)
  }

  @Test func `a copy of a listed device that the restored database does not know is refused`()
    throws
  {
    let path = try StoreKind.newPath()
    _ = try SQLiteRecordStore(path: path)
    let list = URL(filePath: path).deletingLastPathComponent().appending(path: RemovedDevices.name)
    try RemovedDevices(path: list.path).replace(with: [DeviceID(77)])
    var world = try World(SQLiteRecordStore(path: path))
    let former = FormerDevice(DeviceID(77), key: [1])
    #expect(reason(try world.signIn(remote, former)) == "revoked")
  }

  @Test func `a full disk admits no copy`() throws {
    var world = try World(StoreKind.sqliteInMemory.make())
    world.ada.committer = Committer(
      store: world.ada.store, generator: SystemRandomNumberGenerator(), hasDiskRoom: { false })
    guard case .failure(let error) = try world.signIn(remote, world.former) else {
      Issue.record("The copy was admitted.")
      return
    }
    #expect(error.code == .serviceUnavailable)
  }
}
