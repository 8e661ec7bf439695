// Decides which account a new connection belongs to. Three things can identify it: the device's key, the
// uid of the peer process (SO_PEERCRED), and an account name. Only uids trusted to act for other users may
// give the name of any account. The overflow uid does not identify a user and is always refused. A client on
// another machine has only its device's key, which an invitation has admitted before, or the key of the device
// that it was copied from.

import Records

/// The information that a connection provides for signing in.
package struct SignInRequest: Hashable, Sendable {
  /// The connection's peer.
  package let peer: Peer
  /// Whether this peer may sign in to any account by its name.
  package let maySpeakForOthers: Bool
  /// Whether an unknown uid gets a new account.
  package let accountsAreOpen: Bool
  /// The connection's first message.
  package let hello: Hello
  /// The SHA-256 of the device's key. The broker does not store the key itself.
  package let deviceKeyDigest: [UInt8]
  /// The SHA-256 of the former device's key, if the hello names one.
  package let formerKeyDigest: [UInt8]?

  package init(
    peer: Peer, maySpeakForOthers: Bool, accountsAreOpen: Bool, hello: Hello,
    deviceKeyDigest: [UInt8], formerKeyDigest: [UInt8]? = nil
  ) {
    self.peer = peer
    self.maySpeakForOthers = maySpeakForOthers
    self.accountsAreOpen = accountsAreOpen
    self.hello = hello
    self.deviceKeyDigest = deviceKeyDigest
    self.formerKeyDigest = formerKeyDigest
  }
}

/// The stored rows that a sign-in depends on.
package struct SignInRows: Sendable {
  /// The device with the id in the greeting, if the store knows it. For a remote client without an id, the
  /// device that has its key: its first welcome was lost.
  package let device: StoredDevice?
  /// The account with the name in the greeting, if it exists.
  package let namedAccount: StoredAccount?
  /// The account that the peer's uid is a credential of or, for a remote client, that an invitation has
  /// admitted its key to.
  package let credentialAccount: StoredAccount?
  /// The device that a copy names as its former one; `nil` if the store does not know it, or the hello has an id.
  package let formerDevice: FormerDeviceRow?
  /// A name for a new account if the greeting gives none. `nil` if none is needed, or if all derived names
  /// are in use.
  package let derivedName: String?
  /// Whether the container exists or may be created.
  package let hasContainer: Bool
  /// Whether a device with the id in the greeting was removed before the database was restored, which may not know
  /// it.
  package let isRemoved: Bool

  package init(
    device: StoredDevice?, namedAccount: StoredAccount?, credentialAccount: StoredAccount?,
    formerDevice: FormerDeviceRow? = nil, derivedName: String? = nil, hasContainer: Bool = true,
    isRemoved: Bool = false
  ) {
    self.formerDevice = formerDevice
    self.hasContainer = hasContainer
    self.isRemoved = isRemoved
    self.device = device
    self.namedAccount = namedAccount
    self.credentialAccount = credentialAccount
    self.derivedName = derivedName
  }
}

/// An account's row.
package struct StoredAccount: Hashable, Sendable {
  /// The key of the row.
  package let key: StoreKey
  /// The account.
  package let id: AccountID
  /// The name by which accounts sign in and invite each other.
  package let name: String
  /// The name that is shown to people.
  package let displayName: String
  /// Whether the account is disabled. Sign-ins of its devices are refused.
  package let isDisabled: Bool

  /// Creates a row. An empty `displayName` is replaced by the name.
  package init(
    key: StoreKey, id: AccountID, name: String, displayName: String = "", isDisabled: Bool
  ) {
    self.displayName = displayName.isEmpty ? name : displayName
    self.key = key
    self.id = id
    self.name = name
    self.isDisabled = isDisabled
  }
}

/// A device's row.
package struct StoredDevice: Hashable, Sendable {
  /// The key of the row.
  package let key: StoreKey
  /// The account that the device belongs to.
  package let account: StoredAccount
  /// The SHA-256 of the device's key.
  package let keyDigest: [UInt8]
  /// Whether the device was revoked. Its sign-ins are refused.
  package let isRevoked: Bool

  package init(key: StoreKey, account: StoredAccount, keyDigest: [UInt8], isRevoked: Bool) {
    self.key = key
    self.account = account
    self.keyDigest = keyDigest
    self.isRevoked = isRevoked
  }
}

/// The outcome of a sign-in.
package enum SignInPlan: Hashable, Sendable {
  /// The device is known and has proved its identity by its key.
  case known(StoredDevice)
  /// The device is new. Register it under an account, which may be new too.
  case register(account: AccountChoice)
  /// The sign-in is refused.
  case refuse(RecordsError)

  /// The account of a new device.
  package enum AccountChoice: Hashable, Sendable {
    case existing(StoredAccount)
    /// A new account. `uid` becomes its credential; `nil` if a trusted uid named the account.
    case new(name: String, uid: UInt32?)
  }

  /// The uid that the kernel reports for users it cannot map (`/proc/sys/kernel/overflowuid`). Different
  /// users share it.
  package static let overflowUID: UInt32 = 65534

  /// Decides which account the connection belongs to.
  package init(_ request: SignInRequest, gathered: SignInRows) {
    guard request.peer.uid != Self.overflowUID else {
      self = .refuse(
        RecordsError(
          .notAuthenticated, "The broker cannot identify the user of the client.",
          hint: "Run the client outside a user namespace. In a systemd unit, set PrivateUsers=no."))
      return
    }
    guard gathered.hasContainer else {
      self = .refuse(
        RecordsError(
          .quotaExceeded,
          "The container “\(request.hello.container)” does not exist, and no more can be created.",
          hint: "Ask the administrator to run `contacts-broker container add`."))
      return
    }
    if let device = gathered.device {
      self = Self.decide(device, request)
    } else if gathered.isRemoved {
      self = .refuse(Self.revoked)
    } else {
      self = Self.decideNewDevice(request, gathered)
    }
  }

  private static func decide(_ device: StoredDevice, _ request: SignInRequest) -> SignInPlan {
    guard isEqualInConstantTime(device.keyDigest, request.deviceKeyDigest) else {
      return .refuse(
        RecordsError(
          .notAuthenticated, "The broker rejects the key of this device.",
          hint: "If the administrator gave you a new key, sign in with it.",
          reason: "wrongKey"))
    }
    if let error = objection(to: device, request) { return .refuse(error) }
    return .known(device)
  }

  /// Returns why a peer that has the key of `device` may not sign in to its account; `nil` if it may.
  static func objection(to device: StoredDevice, _ request: SignInRequest) -> RecordsError? {
    guard !device.isRevoked else { return revoked }
    guard !device.account.isDisabled else { return disabled(device.account.name) }
    guard let name = request.hello.accountName, name != device.account.name else { return nil }
    return RecordsError(
      .permissionFailure,
      "This device belongs to account “\(device.account.name)”, not to “\(name)”.",
      hint: "Sign out before signing in to another account.", reason: "otherAccount")
  }

  private static func decideNewDevice(
    _ request: SignInRequest, _ gathered: SignInRows
  ) -> SignInPlan {
    if request.peer.uid == nil, let account = gathered.credentialAccount {
      return decideInvited(to: account, request)
    }
    if let plan = decideCopy(of: gathered.formerDevice, request) { return plan }
    if request.maySpeakForOthers, let name = request.hello.accountName {
      return register(gathered.namedAccount, orNew: name, uid: nil, request)
    }
    guard let uid = request.peer.uid else { return .refuse(unknownDevice) }
    if let account = gathered.credentialAccount {
      guard request.hello.accountName ?? account.name == account.name else {
        return .refuse(
          RecordsError(
            .permissionFailure,
            "User \(uid) already has the account “\(account.name)” on this broker.",
            hint: "Omit the account's name, or add user \(uid) to the broker's setting "
              + "“maySpeakFor”."))
      }
      return register(account, orNew: account.name, uid: nil, request)
    }
    guard request.accountsAreOpen || request.maySpeakForOthers else {
      return .refuse(
        RecordsError(
          .notAuthenticated, "User \(uid) has no account on this broker.",
          hint: "The administrator can add one: contacts-broker account add NAME --uid \(uid). "
            + "For an account that exists: contacts-broker account allow NAME --user \(uid)",
          reason: "noAccount"))
    }
    let name = request.hello.accountName ?? gathered.derivedName
    guard let name, gathered.namedAccount == nil else {
      let taken = name ?? AccountNameRules.derived(from: uid)
      return .refuse(
        RecordsError(
          .permissionFailure, "Account “\(taken)” belongs to another user.",
          hint:
            "The administrator can let you in: contacts-broker account allow \(taken) --user \(uid)"
        ))
    }
    return register(nil, orNew: name, uid: uid, request)
  }

  private static func decideInvited(
    to account: StoredAccount, _ request: SignInRequest
  ) -> SignInPlan {
    guard request.hello.accountName ?? account.name == account.name else {
      return .refuse(
        RecordsError(
          .permissionFailure,
          "This device was invited to account “\(account.name)”, not to another.",
          hint: "Sign in without the name of an account.", reason: "otherInvitation"))
    }
    return register(account, orNew: account.name, uid: nil, request)
  }

  private static func register(
    _ account: StoredAccount?, orNew name: String, uid: UInt32?, _ request: SignInRequest
  ) -> SignInPlan {
    if let account {
      guard !account.isDisabled else {
        return .refuse(disabled(name))
      }
      return .register(account: .existing(account))
    }
    if let objection = AccountNameRules.objection(to: name, of: request.peer.uid, field: "account")
    {
      return .refuse(objection)
    }
    return .register(account: .new(name: name, uid: uid))
  }

  static let revoked = RecordsError(
    .notAuthenticated, "This device was revoked.", hint: "Sign in again on this device.",
    reason: "revoked")

  /// NB: no account is named. The peer has proved nothing.
  private static let unknownDevice = RecordsError(
    .notAuthenticated, "The broker does not know this device.",
    hint: "Join by an invitation of another device of the account, or of the administrator.",
    reason: "unknownDevice")

  private static func disabled(_ name: String) -> RecordsError {
    RecordsError(
      .notAuthenticated, "Account “\(name)” is disabled.", hint: "Ask the administrator.",
      reason: "disabled")
  }

  static func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
