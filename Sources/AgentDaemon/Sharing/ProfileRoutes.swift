// The account and the device: their names, and whether others can find the account by its name. The broker
// stores the account's profile; its last answer is stored here too, so that it is available offline.

import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentAPI {
  func addProfileRoutes(to router: Router<BasicRequestContext>) {
    let root = router.group("v1")
    root.get("whoami") { _, _ in Response.json(try await whoami()) }
    root.patch("whoami") { request, _ in try await rename(request) }
    root.post("signin") { request, _ in try await signIn(request) }
    root.post("signout") { request, _ in try await signOut(request) }
    root.get("accounts") { request, _ in try await accounts(request) }
  }

  // MARK: Who this is

  private func whoami() async throws -> JSONWriter {
    _ = try? await profile(.me)
    let who = try identity()
    let displayName = try reader.setting(Self.displayNameKey)
    let discoverability = try Permission.discoverability.answer(reader)
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("account")
      json.object { json in
        json.named(id: who.account?.description, name: who.accountName ?? "")
        json.key("displayName")
        json.value(displayName ?? who.accountName)
        json.key("discoverability")
        json.value(discoverability.rawValue)
        json.key("status")
        json.value(AccountStatus(driver.phase, account: who.account).rawValue)
      }
      json.key("device")
      json.object { $0.named(id: who.device?.description, name: who.deviceName) }
    }
    return json
  }

  /// Renames the account or the device. A new device name requires a new connection, because a device sends
  /// its name in the hello.
  private func rename(_ request: Request) async throws -> Response {
    let form = try await body(request, as: WhoamiForm.self)
    if let device = form.device {
      let name = try Self.checkedName(device.name ?? "")
      try await driver.rename(device: name.isEmpty ? nil : name)
    }
    if let displayName = form.account?.displayName {
      let name = try Self.checkedName(displayName)
      guard !name.isEmpty else {
        throw RecordsError.invalid("The name cannot be empty.", field: "displayName")
      }
      _ = try await profile(.setDisplayName(name))
    }
    return .json(try await whoami())
  }

  static func checkedName(_ typed: String) throws -> String {
    let name = typed.trimmingBlanks()
    guard name.utf8.count <= Limits.titleBytes else {
      throw RecordsError(
        .limitExceeded,
        "The name is too long: \(name.utf8.count) bytes; the limit is \(Limits.titleBytes).")
    }
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw RecordsError.invalid("The name contains a control character.", field: "name") }
    return name
  }

  /// The setting with this account's display name, as the broker last reported it.
  static let displayNameKey = "account.displayName"

  /// Requests this account's profile from the broker, and stores it.
  /// - Throws: As `ReplicaDriver.request`.
  @discardableResult
  func profile(_ order: AccountRequest) async throws -> AccountProfile {
    // A read waits only briefly, because the former answer is stored.
    let seconds = order == .me ? 2 : ReplicaDriver.requestSeconds
    guard
      case .accounts(let profiles, _) = try await driver.request(
        .account(order), waitSeconds: seconds),
      let own = profiles.first
    else {
      throw RecordsError(
        .incompatibleVersion, "contactsd cannot read the answer of the broker.",
        hint: "Install the same version of contactsd and contacts-broker.")
    }
    let known = try Permission.discoverability.answer(reader)
    try await driver.edit { replica, now in
      var actions = try replica.choose(
        setting: Self.displayNameKey, value: own.displayName, now: now)
      // Without an answer of the user, a missing permission is not a refusal.
      if own.isDiscoverable != (known == .allow), own.isDiscoverable || known != .ask {
        actions += try replica.choose(
          setting: Permission.discoverability.key,
          value: (own.isDiscoverable ? Permission.Answer.allow : .deny).rawValue, now: now)
      }
      return ((), actions)
    }
    return own
  }

  // MARK: In and out

  private func signIn(_ request: Request) async throws -> Response {
    let form = try await body(request, as: SignInForm.self)
    if let text = form.key {
      let key = try DeviceKey(text: text)
      try await driver.edit { replica, now in ((), try replica.takeKey(key, now: now)) }
      return .json(try await whoami())
    }
    if let join = form.join {
      try await self.join(join)
      return .json(try await whoami())
    }
    guard let name = form.account else {
      throw RecordsError.invalid("Give an account name, an invitation or a key.", field: "account")
    }
    // The broker would reject a hello with such a name.
    guard !name.isEmpty else {
      throw RecordsError.invalid("The account name cannot be empty.", field: "account")
    }
    guard name.utf8.count <= Limits.nameBytes else {
      throw RecordsError(
        .limitExceeded,
        "The account name is too long: \(name.utf8.count) bytes; "
          + "the limit is \(Limits.nameBytes).")
    }
    if let given = settings.accountName, given != name {
      throw RecordsError(
        .permissionFailure,
        "contactsd was started for the account “\(given)” and cannot sign in to another.",
        hint:
          "Remove the account from contactsd.conf, the environment or the options of contactsd, "
          + "and restart it.",
        field: "account")
    }
    try await driver.edit { replica, now in ((), try replica.signIn(account: name, now: now)) }
    return .json(try await whoami())
  }

  private func signOut(_ request: Request) async throws -> Response {
    let isDiscarding = try await body(request, as: SignOutForm.self).discard ?? false
    try await driver.edit { replica, now in
      ((), try replica.signOut(discarding: isDiscarding, now: now))
    }
    return Response(status: .noContent)
  }

  // MARK: Others

  /// Returns the account with a name, or the discoverable accounts in pages.
  private func accounts(_ request: Request) async throws -> Response {
    let parameters = request.uri.queryParameters
    let order =
      parameters["name"].map { AccountRequest.find(name: String($0)) }
      ?? .discoverable(after: parameters["cursor"].map { String($0) } ?? "")
    guard case .accounts(let found, let isWhole) = try await driver.request(.account(order)) else {
      throw RecordsError(
        .incompatibleVersion, "contactsd cannot read the answer of the broker.",
        hint: "Install the same version of contactsd and contacts-broker.")
    }
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("accounts")
      json.list(found) { json, one in
        json.object { json in
          json.named(id: one.account.description, name: one.name)
          json.key("displayName")
          json.value(one.displayName)
        }
      }
      json.key("next")
      json.value(isWhole ? nil : found.last?.name)
    }
    return .json(json)
  }
}

/// The status of the account, as in CloudKit.
enum AccountStatus: String, Sendable {
  /// The broker knows the account, or did at the last connection.
  case available
  /// No broker has ever given this device an account.
  case noAccount
  /// The broker rejects this account or device.
  case restricted
  /// Unknown, because the agent has not connected to the broker since it started.
  case couldNotDetermine
  /// The account is known, but the broker is not reachable.
  case temporarilyUnavailable

  /// Returns the status of an account in `phase`.
  init(_ phase: Phase, account: AccountID?) {
    switch phase {
    case .live, .catchingUp: self = .available
    case .refused(let error) where ["disabled", "revoked", "wrongKey"].contains(error.reason ?? ""):
      self = .restricted
    case .refused(let error): self = error.code == .notAuthenticated ? .noAccount : .restricted
    case .connecting: self = account == nil ? .couldNotDetermine : .temporarilyUnavailable
    case .offline: self = account == nil ? .couldNotDetermine : .temporarilyUnavailable
    }
  }

  /// The status as a sentence.
  var sentence: String {
    switch self {
    case .available: "The account is available."
    case .noAccount: "This device is not signed in, or the broker has no account with this name."
    case .restricted: "The broker rejected this account or this device. Ask its administrator."
    case .couldNotDetermine: "The account's status is unknown until the broker answers."
    case .temporarilyUnavailable: "The account is signed in, but the broker cannot be reached now."
    }
  }
}

/// The body of `POST /v1/signin`.
private struct SignInForm: Decodable, Sendable {
  /// The account that this device joins.
  let account: String?
  /// A key that an operator created for this device, in place of its own.
  let key: String?
  /// An invitation to join an account on another machine.
  let invitation: String?
  let address: String?
  let mode: JoinMode?

  var join: JoinForm? {
    invitation.map { JoinForm(invitation: $0, address: address, mode: mode) }
  }
}

/// The body of `POST /v1/signout`.
private struct SignOutForm: Decodable, Sendable {
  /// Whether to discard edits that the broker has not received.
  let discard: Bool?
}

/// The body of `PATCH /v1/whoami`.
private struct WhoamiForm: Decodable, Sendable {
  struct Device: Decodable, Sendable {
    /// Empty or `null` removes a chosen name.
    let name: String?
  }

  struct Account: Decodable, Sendable {
    let displayName: String
  }

  let device: Device?
  let account: Account?
}

extension JSONWriter {
  fileprivate mutating func named(id: String?, name: String) {
    key("id")
    value(id)
    key("name")
    value(name)
  }
}
