// Every store: devices that other devices of their account rename or remove.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("R4 device contract")
struct DeviceRequestContract {
  /// A store with the devices of ada and bob.
  private struct World {
    var ada: StoreClient
    let phone: StoreClient
    let bob: StoreClient

    init(_ kind: StoreKind) throws {
      let store = try kind.make()
      ada = try StoreClient(store)
      phone = try StoreClient(store, key: [2])
      bob = try StoreClient(store, account: "bob", key: [3])
    }

    mutating func request(_ change: DeviceRequest.Change, _ device: DeviceID) -> StorageOutcome? {
      let context = RequestContext(
        connection: ConnectionID(1), replyTo: 1, identity: ada.identity)
      let results = ada.committer.perform(
        [.client(.device(DeviceRequest(change, device)), context)], at: time(5))
      guard case .client(let outcome, _) = results[0] else { return nil }
      return outcome
    }

    mutating func refusal(_ change: DeviceRequest.Change, _ device: DeviceID) -> RecordsError.Code?
    {
      guard case .answered(.error(let error), _)? = request(change, device) else { return nil }
      return error.code
    }

    /// The phone as the directory lists it, after it greeted with `name`.
    mutating func listed(greetingAs name: String? = nil) throws -> DirectoryDevice? {
      if let name {
        let hello = Hello(
          version: 1, container: "contacts", accountName: "ada", deviceName: name,
          device: phone.identity.device, deviceKey: [2], lastNumber: .zero, acknowledged: .zero,
          directory: .zero, zones: [])
        let request = SignInRequest(
          peer: .localUser(0), maySpeakForOthers: true, accountsAreOpen: false, hello: hello,
          deviceKeyDigest: [2])
        _ = ada.committer.perform([.signIn(request, ConnectionID(2))], at: time(6))
      }
      return try ada.signInAgain().directory.devices.first { $0.id == phone.identity.device }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a given name holds until the device greets with a new one of its own`(
    kind: StoreKind
  ) throws {
    var world = try World(kind)
    let phone = world.phone.identity.device
    guard
      case .deviceChanged(let effects, expelled: nil)? = world.request(.rename("Old phone"), phone)
    else {
      Issue.record("The rename was refused.")
      return
    }
    #expect(effects.directories.map { $0.page.devices.map(\.name) } == [["Old phone"]])
    #expect(try world.listed()?.name == "Old phone")
    #expect(try world.listed(greetingAs: "laptop")?.name == "Old phone")
    #expect(try world.listed(greetingAs: "Old phone")?.name == "Old phone")
    #expect(try world.listed(greetingAs: "laptop")?.name == "laptop")
  }

  @Test(arguments: StoreKind.allCases)
  func `a second given name holds for a device that greets with the first`(kind: StoreKind) throws {
    var world = try World(kind)
    let phone = world.phone.identity.device
    _ = world.request(.rename("Old phone"), phone)
    _ = world.request(.rename("Spare phone"), phone)
    #expect(try world.listed(greetingAs: "Old phone")?.name == "Spare phone")
    _ = world.request(.rename("laptop"), phone)
    #expect(try world.listed(greetingAs: "Spare phone")?.name == "laptop")
    #expect(try world.listed(greetingAs: "laptop")?.name == "laptop")
    #expect(try world.listed(greetingAs: "Own")?.name == "Own")
  }

  @Test(arguments: StoreKind.allCases)
  func `a device's own new name replaces the given one`(kind: StoreKind) throws {
    var world = try World(kind)
    _ = world.request(.rename("Old phone"), world.phone.identity.device)
    #expect(try world.listed(greetingAs: "My phone")?.name == "My phone")
    #expect(try world.listed(greetingAs: "laptop")?.name == "laptop")
  }

  @Test(arguments: StoreKind.allCases)
  func `a removed device is listed as removed, and its session ends`(kind: StoreKind) throws {
    var world = try World(kind)
    let phone = world.phone.identity
    guard
      case .deviceChanged(let effects, expelled: let expelled)? = world.request(
        .remove, phone.device)
    else {
      Issue.record("The removal was refused.")
      return
    }
    #expect(expelled == .removed(phone.deviceKey))
    #expect(effects.directories.map { $0.page.devices.map(\.isRemoved) } == [[true]])
    #expect(try world.listed()?.isRemoved == true)
    #expect(world.refusal(.rename("x"), phone.device) == .constraintViolation)
    guard case .deviceChanged(_, expelled: nil)? = world.request(.remove, phone.device) else {
      Issue.record("A repeated removal was refused.")
      return
    }
    #expect(throws: RecordsError.self) {
      try StoreClient(world.ada.store, key: [2], device: phone.device)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `devices of others are unknown, and no device removes itself`(kind: StoreKind) throws {
    var world = try World(kind)
    #expect(world.refusal(.remove, world.bob.identity.device) == .unknownItem)
    #expect(world.refusal(.rename("x"), world.bob.identity.device) == .unknownItem)
    #expect(world.refusal(.remove, DeviceID(99)) == .unknownItem)
    #expect(world.refusal(.remove, world.ada.identity.device) == .invalidArguments)
  }
}
