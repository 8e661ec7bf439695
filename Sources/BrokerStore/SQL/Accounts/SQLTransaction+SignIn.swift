// Sign-in: registers new devices and accounts, and reads what a greeting asks for.

import BrokerCore
import Records
import SQLConnections

extension SQLTransaction {
  func gather(
    _ request: SignInRequest, at now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) throws -> SignInRows {
    let hello = request.hello
    var device = try hello.device.flatMap { try devices.device($0) }
    let isUnknown = device == nil
    // The key of a new device may be known, because its first welcome was lost. A local device is identified by its user
    // instead, so that users whose programs have equal keys stay apart, unless it is a copy.
    if isUnknown, request.peer.uid == nil || hello.device == nil && hello.formerDevice != nil {
      device = try devices.device(keyDigest: request.deviceKeyDigest)
    }
    var credentialAccount: StoredAccount?
    if let uid = request.peer.uid {
      credentialAccount = try accounts.account(ofUID: uid)
    } else if isUnknown {
      credentialAccount = try invitations.account(admitting: request.deviceKeyDigest, at: now)
    }
    let needsName = hello.accountName == nil && device == nil && credentialAccount == nil
    return SignInRows(
      device: device,
      namedAccount: try hello.accountName.flatMap { try accounts.account(named: $0) },
      credentialAccount: credentialAccount,
      formerDevice: try formerDevice(of: hello),
      derivedName: try request.peer.uid.flatMap { uid in
        needsName ? try accounts.freeName(for: uid, using: &generator) : nil
      },
      hasContainer: try accounts.hasRoom(forContainer: hello.container),
      isRemoved: hello.device.map { listedRemovals.contains($0) } ?? false)
  }

  /// The device that a copy, which has no id yet, was copied from.
  private func formerDevice(of hello: Hello) throws -> FormerDeviceRow? {
    guard hello.device == nil, let former = hello.formerDevice else { return nil }
    if let device = try devices.device(former.device) { return .known(device) }
    return listedRemovals.contains(former.device) ? .removed : nil
  }

  func register(
    _ choice: SignInPlan.AccountChoice, _ request: SignInRequest, identifiers: NewIdentifiers,
    at now: Timestamp
  ) throws -> StoredDevice {
    let account: StoredAccount
    switch choice {
    case .existing(let existing): account = existing
    case .new(let name, let uid):
      account = try accounts.insert(identifiers.account, name: name, uid: uid, at: now)
    }
    if request.peer.uid == nil { try invitations.forgetAdmission(of: request.deviceKeyDigest) }
    return try devices.insert(
      request.hello.device ?? identifiers.device, account: account, request, at: now)
  }

  func signIn(
    _ device: StoredDevice, _ request: SignInRequest, identifiers: NewIdentifiers,
    at now: Timestamp
  ) throws -> SignedIn {
    let hello = request.hello
    let container = try accounts.container(named: hello.container)
    let name = try devices.name(of: device, greetingAs: hello.deviceName)
    let announcement = try DirectoryDevices(db: db).noteSignIn(
      device, name: name, container: container, at: now)
    let (id, last) = try devices.updateSeen(
      device, name: name, greetingAs: hello.deviceName, at: now)
    let identity = SessionIdentity(
      container: container, account: device.account.id, accountKey: device.account.key,
      device: id, deviceKey: device.key, keyGeneration: memory.keyGeneration(of: device.key))
    try makeStandardZone(of: identity, incarnation: identifiers.incarnation)
    try makePublicZone(in: container, incarnation: identifiers.incarnation)
    try acknowledge(hello.acknowledged, of: identity)
    return try signedIn(identity, device, hello, last: last, announcing: announcement)
  }

  func signInReadOnly(_ device: StoredDevice, _ request: SignInRequest) throws -> SignedIn {
    let container = try accounts.container(named: request.hello.container)
    let (id, last) = try devices.identity(of: device)
    let identity = SessionIdentity(
      container: container, account: device.account.id, accountKey: device.account.key,
      device: id, deviceKey: device.key, keyGeneration: memory.keyGeneration(of: device.key))
    let standard = ZoneID(owner: identity.account, name: .standard)
    guard try zones.zone(standard, container: container) != nil,
      try zones.zone(.public, container: container) != nil
    else { throw StoreError(.full, "The disk is too full to create the container's zones.") }
    return try signedIn(identity, device, request.hello, last: last)
  }

  private func signedIn(
    _ identity: SessionIdentity, _ device: StoredDevice, _ hello: Hello, last: RequestNumber,
    announcing announcement: DirectoryCommit? = nil
  ) throws -> SignedIn {
    let greeting = try directories.greetingPage(
      container: identity.container, account: device.account.key, after: hello.directory)
    return SignedIn(
      identity: identity, accountName: device.account.name, lastNumber: last,
      directory: greeting.page, isDirectoryLeftOut: greeting.isLeftOut,
      rewoundAt: greeting.rewoundAt,
      zones: try zones(at: hello.zones, of: identity),
      announcements: announcement.map { [$0] } ?? [])
  }

  /// Creates the account's standard zone in the container, if it does not exist.
  private func makeStandardZone(of identity: SessionIdentity, incarnation: Incarnation) throws {
    let id = ZoneID(owner: identity.account, name: .standard)
    guard try zones.zone(id, container: identity.container) == nil else { return }
    let zone = try StoredZone(
      key: nil, id: id, title: "", incarnation: incarnation, head: zones.newZoneHead,
      expiredThrough: .zero, isDeleted: false)
    let key = try zones.insert(zone, container: identity.container, owner: identity.accountKey)
    _ = try directories.touch(
      zone: key, container: identity.container, account: identity.accountKey)
  }

  func zones(
    at positions: [ZonePosition], of identity: SessionIdentity
  ) throws -> [AttachedZone] {
    try positions.map { position in
      let id = position.zone.resolved(for: identity.account)
      let zone = try zones.zone(id, container: identity.container)
      let isReadable = try zone.map {
        try participants.access(of: identity, in: $0).allowsReading
      }
      return AttachedZone(
        position: ZonePosition(zone: id, token: position.token),
        stored: isReadable == true ? try zone.map(zones.withLostNames) : nil,
        joined: try zone.map { try participants.joiningRevision(of: identity, in: $0) } ?? .zero)
    }
  }
}
