// Every store: invitations for devices on other machines, and the sign-in of devices that used one.

import BrokerCore
import BrokerStore
import Pairing
import Records
import Testing

@Suite("R2, R3 pairing contract")
struct PairingContract {
  private static let brokerKey = [UInt8](repeating: 3, count: 32)
  private static let deviceKey = [UInt8](repeating: 4, count: 32)
  private static let otherKey = [UInt8](repeating: 5, count: 32)
  private let peer = Peer.remote(RemoteNetwork(ipv4: [192, 0, 2, 7]))

  /// A store with an account “ada” and an invitation to it, and the requests of its peers.
  private struct World {
    var client: StoreClient
    let key = InvitationKey(of: InvitationCode(77))

    init(_ kind: StoreKind) throws {
      client = try StoreClient(try kind.make())
      let offer = InvitationOffer(id: key.id, key: key.bytes, seconds: 600)
      let invited = client.committer.perform(
        [.administer(.invite(account: "ada", offer), ConnectionID(9), replyTo: 1)], at: time(100))
      guard case .administered(.success, _, _) = invited[0] else {
        throw RecordsError(.internalError, "\(invited)")
      }
    }

    mutating func join(
      _ deviceKey: [UInt8], proof: [UInt8]? = nil, isFinal: Bool = true, at seconds: Int64 = 101,
      id: InvitationID? = nil
    ) -> Result<Joined, RecordsError>? {
      let proof =
        proof
        ?? key.proof(
          of: .device, brokerKeyDigest: PairingContract.brokerKey, deviceKeyDigest: deviceKey)
      let request = JoinRequest(
        invitation: id ?? key.id, deviceKeyDigest: deviceKey, proof: proof, isFinal: isFinal)
      let results = client.committer.perform(
        [
          .join(
            request, brokerKeyDigest: PairingContract.brokerKey, ConnectionID(8), replyTo: 1)
        ], at: time(seconds))
      guard case .joined(let result, _, _) = results[0] else { return nil }
      return result
    }

    mutating func signIn(
      _ key: [UInt8], as peer: Peer, device: DeviceID? = nil, name: String? = nil,
      at seconds: Int64 = 102
    ) throws -> Result<SignedIn, RecordsError> {
      let hello = Hello(
        version: 1, container: "contacts", accountName: name, deviceName: "laptop",
        device: device, deviceKey: key, lastNumber: .zero, acknowledged: .zero, directory: .zero,
        zones: [])
      let request = SignInRequest(
        peer: peer, maySpeakForOthers: false, accountsAreOpen: true, hello: hello,
        deviceKeyDigest: key)
      let results = client.committer.perform([.signIn(request, ConnectionID(8))], at: time(seconds))
      guard case .signedIn(let result, _) = results[0] else {
        throw RecordsError(.internalError, "\(results)")
      }
      return result
    }
  }

  private func reason(_ result: Result<some Any, RecordsError>?) -> String? {
    guard case .failure(let error)? = result else { return nil }
    return error.reason
  }

  @Test(arguments: StoreKind.allCases)
  func `a device that used an invitation signs in, and again after its welcome was lost`(
    kind: StoreKind
  ) throws {
    var world = try World(kind)
    #expect(reason(try world.signIn(Self.deviceKey, as: peer)) == "unknownDevice")
    let joined = try world.join(Self.deviceKey)?.get()
    #expect(joined?.accountName == "ada")
    #expect(
      world.key.isProof(
        joined?.proof ?? [], of: .broker, brokerKeyDigest: Self.brokerKey,
        deviceKeyDigest: Self.deviceKey))
    let first = try world.signIn(Self.deviceKey, as: peer).get()
    #expect(first.accountName == "ada" && first.identity.account == world.client.identity.account)
    let again = try world.signIn(Self.deviceKey, as: peer).get()
    #expect(again.identity.device == first.identity.device)
    let known = try world.signIn(Self.deviceKey, as: peer, device: first.identity.device).get()
    #expect(known.identity == first.identity)
  }

  @Test(arguments: StoreKind.allCases)
  func `an examination admits nobody`(kind: StoreKind) throws {
    var world = try World(kind)
    #expect(try world.join(Self.deviceKey, isFinal: false)?.get().accountName == "ada")
    #expect(reason(try world.signIn(Self.deviceKey, as: peer)) == "unknownDevice")
    #expect(try world.join(Self.otherKey)?.get() != nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `an invitation is used by one device, which may ask again`(kind: StoreKind) throws {
    var world = try World(kind)
    _ = try world.join(Self.deviceKey)?.get()
    #expect(reason(world.join(Self.otherKey)) == "usedInvitation")
    // Its answer may have been lost, but not for ever.
    #expect(try world.join(Self.deviceKey, at: 1299)?.get().accountName == "ada")
    #expect(reason(world.join(Self.deviceKey, at: 1300)) == "expiredInvitation")
    _ = try world.signIn(Self.deviceKey, as: peer).get()
    #expect(try world.join(Self.deviceKey, at: 1299)?.get().accountName == "ada")
    #expect(reason(try world.signIn(Self.otherKey, as: peer)) == "unknownDevice")
  }

  @Test(arguments: StoreKind.allCases)
  func `unknown, expired and wrongly proved invitations differ in their reasons`(
    kind: StoreKind
  ) throws {
    var world = try World(kind)
    #expect(reason(world.join(Self.deviceKey, id: InvitationID(5))) == "unknownInvitation")
    #expect(reason(world.join(Self.deviceKey, at: 701)) == "expiredInvitation")
    #expect(reason(world.join(Self.deviceKey, proof: Self.otherKey)) == "wrongProof")
    // The proof of another device's join, repeated by a machine in the middle with its own key.
    let proof = world.key.proof(
      of: .device, brokerKeyDigest: Self.brokerKey, deviceKeyDigest: Self.deviceKey)
    #expect(reason(world.join(Self.otherKey, proof: proof)) == "wrongProof")
    #expect(reason(try world.signIn(Self.deviceKey, as: peer)) == "unknownDevice")
  }

  @Test(arguments: StoreKind.allCases)
  func `a remote device is judged by its key at every sign-in`(kind: StoreKind) throws {
    var world = try World(kind)
    _ = try world.join(Self.deviceKey)?.get()
    #expect(
      reason(try world.signIn(Self.deviceKey, as: peer, name: "grace")) == "otherInvitation")
    let device = try world.signIn(Self.deviceKey, as: peer).get().identity.device
    #expect(reason(try world.signIn(Self.otherKey, as: peer, device: device)) == "wrongKey")
    _ = world.client.committer.perform(
      [.administer(.revokeDevice(device), ConnectionID(9), replyTo: 1)], at: time(103))
    #expect(reason(try world.signIn(Self.deviceKey, as: peer, device: device)) == "revoked")
    #expect(reason(try world.signIn(Self.deviceKey, as: peer)) == "revoked")
  }

  @Test(arguments: StoreKind.allCases)
  func `a device signs in after a month, and after ten years`(kind: StoreKind) throws {
    var world = try World(kind)
    _ = try world.join(Self.deviceKey)?.get()
    let first = try world.signIn(Self.deviceKey, as: peer).get()
    for days: Int64 in [31, 3650] {
      let later = try world.signIn(
        Self.deviceKey, as: peer, device: first.identity.device, at: 102 + days * 86_400
      ).get()
      #expect(later.identity == first.identity)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an admission ends, and ends with the device that made its invitation`(kind: StoreKind)
    throws
  {
    var world = try World(kind)
    _ = try world.join(Self.deviceKey)?.get()
    #expect(reason(try world.signIn(Self.deviceKey, as: peer, at: 702)) == "unknownDevice")
    let key = InvitationKey(of: InvitationCode(5))
    let context = RequestContext(
      connection: ConnectionID(1), replyTo: 1, identity: world.client.identity)
    _ = world.client.committer.perform(
      [.client(.invite(InvitationOffer(id: key.id, key: key.bytes)), context)], at: time(100))
    let proof = key.proof(
      of: .device, brokerKeyDigest: Self.brokerKey, deviceKeyDigest: Self.otherKey)
    _ = try world.join(Self.otherKey, proof: proof, id: key.id)?.get()
    _ = world.client.committer.perform(
      [
        .administer(
          .revokeDevice(world.client.identity.device), ConnectionID(9), replyTo: 1)
      ], at: time(101))
    #expect(reason(try world.signIn(Self.otherKey, as: peer)) == "unknownDevice")
    #expect(reason(world.join(Self.otherKey, proof: proof, id: key.id)) == "unknownInvitation")
  }

  @Test(arguments: StoreKind.allCases)
  func `a key of one account cannot be drawn to another`(kind: StoreKind) throws {
    var world = try World(kind)
    _ = try world.join(Self.deviceKey)?.get()
    let key = InvitationKey(of: InvitationCode(6))
    _ = world.client.committer.perform(
      [
        .administer(.addAccount(name: "mallory", uid: nil), ConnectionID(9), replyTo: 1),
        .administer(
          .invite(account: "mallory", InvitationOffer(id: key.id, key: key.bytes)),
          ConnectionID(9), replyTo: 1),
      ], at: time(100))
    func draw(_ world: inout World) -> String? {
      let proof = key.proof(
        of: .device, brokerKeyDigest: Self.brokerKey, deviceKeyDigest: Self.deviceKey)
      return reason(world.join(Self.deviceKey, proof: proof, id: key.id))
    }
    #expect(draw(&world) == "otherAccount")
    #expect(try world.signIn(Self.deviceKey, as: peer).get().accountName == "ada")
    #expect(draw(&world) == "otherAccount")
  }

  @Test(arguments: StoreKind.allCases)
  func `an account has a limited number of invitations`(kind: StoreKind) throws {
    var world = try World(kind)
    func invite(_ number: UInt128, at seconds: Int64) -> Result<Timestamp, RecordsError> {
      let key = InvitationKey(of: InvitationCode(number))
      let offer = InvitationOffer(id: key.id, key: key.bytes)
      let context = RequestContext(
        connection: ConnectionID(1), replyTo: 1, identity: world.client.identity)
      let results = world.client.committer.perform(
        [.client(.invite(offer), context)], at: time(seconds))
      guard case .client(.invited(let result), _) = results[0] else {
        return .failure(.unreadable)
      }
      return result
    }
    func code(_ result: Result<Timestamp, RecordsError>) -> RecordsError.Code? {
      if case .failure(let error) = result { error.code } else { nil }
    }
    for number in 1..<20 {
      #expect(invite(UInt128(1000 + number), at: 101) == .success(time(701)))
    }
    #expect(code(invite(2000, at: 101)) == .limitExceeded)
    #expect(invite(2000, at: 800) == .success(time(1400)))
    #expect(code(invite(2000, at: 801)) == .constraintViolation)
  }

  @Test(arguments: StoreKind.allCases)
  func `the invitations of a deleted account are gone`(kind: StoreKind) throws {
    var world = try World(kind)
    _ = world.client.committer.perform(
      [.administer(.deleteAccount(name: "ada"), ConnectionID(9), replyTo: 1)], at: time(101))
    #expect(reason(world.join(Self.deviceKey)) == "unknownInvitation")
  }
}

extension RecordsError {
  fileprivate static let unreadable = RecordsError(.internalError, "Another result.")
}
