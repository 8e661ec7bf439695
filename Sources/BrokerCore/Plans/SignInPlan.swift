// Who a new connection speaks for. Three things can say it: the device's own key, the uid of the
// process at the other end (SO_PEERCRED), and a name, which only uids trusted to speak for others
// may give. The overflow uid is nobody's and is always refused.

import Records

/// What a connection brings to signing in.
package struct SignInRequest: Hashable, Sendable {
  /// The uid at the other end of the socket, as the kernel tells it.
  package let uid: UInt32
  /// Whether that uid may name any account.
  package let maySpeakForOthers: Bool
  /// Whether an unknown uid gets an account of its own.
  package let accountsAreOpen: Bool
  /// The greeting.
  package let hello: Hello
  /// The SHA-256 of the device's key, which is all the broker keeps of it.
  package let deviceKeyDigest: [UInt8]

  /// What a connection brings.
  package init(
    uid: UInt32, maySpeakForOthers: Bool, accountsAreOpen: Bool, hello: Hello,
    deviceKeyDigest: [UInt8]
  ) {
    self.uid = uid
    self.maySpeakForOthers = maySpeakForOthers
    self.accountsAreOpen = accountsAreOpen
    self.hello = hello
    self.deviceKeyDigest = deviceKeyDigest
  }
}

/// The rows that signing in concerns.
package struct GatheredForSignIn: Sendable {
  /// The device whose id the greeting gives, if the store knows it.
  package let device: StoredDevice?
  /// The account whose name the greeting gives, if there is one.
  package let namedAccount: StoredAccount?
  /// The account that the uid is a credential of.
  package let credentialAccount: StoredAccount?
  /// The name of a new account where the greeting gives none; `nil` where none is needed or free.
  package let derivedName: String?
  /// Whether the application's namespace is there, or may be made.
  package let hasContainer: Bool

  /// What was gathered.
  package init(
    device: StoredDevice?, namedAccount: StoredAccount?, credentialAccount: StoredAccount?,
    derivedName: String? = nil, hasContainer: Bool = true
  ) {
    self.hasContainer = hasContainer
    self.device = device
    self.namedAccount = namedAccount
    self.credentialAccount = credentialAccount
    self.derivedName = derivedName
  }
}

/// An account as the store has it.
package struct StoredAccount: Hashable, Sendable {
  /// Its row.
  package let key: StoreKey
  /// The account.
  package let id: AccountID
  /// Its name.
  package let name: String
  /// What people call it.
  package let displayName: String
  /// Whether it may not sign in.
  package let isDisabled: Bool

  /// An account's row; without a display name it is called by its name.
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

/// A device as the store has it.
package struct StoredDevice: Hashable, Sendable {
  /// Its row.
  package let key: StoreKey
  /// Its account.
  package let account: StoredAccount
  /// The SHA-256 of its key.
  package let keyDigest: [UInt8]
  /// Whether it may not sign in.
  package let isRevoked: Bool

  /// A device's row.
  package init(key: StoreKey, account: StoredAccount, keyDigest: [UInt8], isRevoked: Bool) {
    self.key = key
    self.account = account
    self.keyDigest = keyDigest
    self.isRevoked = isRevoked
  }
}

/// What signing in comes to.
package enum SignInPlan: Hashable, Sendable {
  /// The device is known and proved itself.
  case known(StoredDevice)
  /// The device is new; enter it under an account, which may be new too.
  case register(account: AccountChoice)
  /// Nobody is signed in.
  case refuse(RecordsError)

  /// The account of a new device.
  package enum AccountChoice: Hashable, Sendable {
    case existing(StoredAccount)
    /// A new account; `uid` becomes its credential unless that uid speaks for many.
    case new(name: String, uid: UInt32?)
  }

  /// The uid the kernel reports for users it cannot map; it stands for nobody in particular.
  package static let overflowUID: UInt32 = 65534

  /// Decides who a connection speaks for.
  package init(_ request: SignInRequest, gathered: GatheredForSignIn) {
    guard request.uid != Self.overflowUID else {
      self = .refuse(
        RecordsError(
          .notAuthenticated, "The user at the other end of the socket is not known here.",
          hint: "Run the agent outside a user namespace that hides its user."))
      return
    }
    guard gathered.hasContainer else {
      self = .refuse(
        RecordsError(
          .quotaExceeded,
          "There is no container “\(request.hello.container)”, and no room to make one.",
          hint: "Ask the administrator for `contacts-broker container add`."))
      return
    }
    if let device = gathered.device {
      self = Self.decide(device, request)
    } else {
      self = Self.decideNewDevice(request, gathered)
    }
  }

  private static func decide(_ device: StoredDevice, _ request: SignInRequest) -> SignInPlan {
    guard isEqualInConstantTime(device.keyDigest, request.deviceKeyDigest) else {
      return .refuse(
        RecordsError(
          .notAuthenticated, "The broker knows this device by another key.",
          hint: "If its administrator gave it a new one: contactsctl signin --key FILE.",
          reason: "wrongKey"))
    }
    guard !device.isRevoked else {
      return .refuse(
        RecordsError(
          .notAuthenticated, "This device was revoked.", hint: "Sign the device in anew.",
          reason: "revoked"))
    }
    guard !device.account.isDisabled else { return .refuse(disabled(device.account.name)) }
    if let name = request.hello.accountName, name != device.account.name {
      return .refuse(
        RecordsError(
          .permissionFailure,
          "This device belongs to account “\(device.account.name)”, not to “\(name)”.",
          hint: "Sign out before signing in to another account.", reason: "otherAccount"))
    }
    return .known(device)
  }

  private static func decideNewDevice(
    _ request: SignInRequest, _ gathered: GatheredForSignIn
  ) -> SignInPlan {
    if request.maySpeakForOthers, let name = request.hello.accountName {
      return register(gathered.namedAccount, orNew: name, uid: nil, request)
    }
    if let account = gathered.credentialAccount {
      guard request.hello.accountName ?? account.name == account.name else {
        return .refuse(
          RecordsError(
            .permissionFailure, "User \(request.uid) is account “\(account.name)” here.",
            hint: "Leave the account's name out, or have user \(request.uid) trusted to speak for "
              + "others."))
      }
      return register(account, orNew: account.name, uid: nil, request)
    }
    guard request.accountsAreOpen || request.maySpeakForOthers else {
      return .refuse(
        RecordsError(
          .notAuthenticated, "User \(request.uid) has no account here.",
          hint: "Ask the administrator for one.", reason: "noAccount"))
    }
    let name = request.hello.accountName ?? gathered.derivedName
    guard let name, gathered.namedAccount == nil else {
      let taken = name ?? AccountName.derived(from: request.uid)
      return .refuse(
        RecordsError(.permissionFailure, "Account “\(taken)” belongs to somebody else."))
    }
    return register(nil, orNew: name, uid: request.uid, request)
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
    if let objection = AccountName.objection(to: name, of: request.uid, field: "account") {
      return .refuse(objection)
    }
    return .register(account: .new(name: name, uid: uid))
  }

  private static func disabled(_ name: String) -> RecordsError {
    RecordsError(
      .notAuthenticated, "Account “\(name)” is disabled.", hint: "Ask the administrator.",
      reason: "disabled")
  }

  private static func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
