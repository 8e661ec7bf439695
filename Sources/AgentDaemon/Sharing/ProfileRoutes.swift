// The account and the device: their names, and whether others can find the account by its name. The broker
// stores the account's profile; its last answer is stored here too, so that it is available offline.

import AgentAPI
import AgentStore
import ByteCounts
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  func addProfileRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.whoami.route) { _, _ in try await whoami() }
    router.patch(AgentPath.whoami.route) { request, _ in try await rename(request) }
    router.post(AgentPath.signIn.route) { request, _ in try await signIn(request) }
    router.post(AgentPath.signOut.route) { request, _ in try await signOut(request) }
    router.get(AgentPath.accounts.route) { request, _ in try await accounts(request) }
  }

  // MARK: Who this is

  private func whoami() async throws -> Response {
    _ = try? await profile(.me)
    let who = try identity()
    let displayName = try reader.setting(Self.displayNameKey)
    let discoverability = try Permission.discoverability.answer(reader)
    let account = WhoamiView.Account(
      id: who.account?.description, name: who.accountName ?? "",
      displayName: displayName ?? who.accountName, discoverability: discoverability.rawValue,
      status: ProfileStatus(driver.phase, account: who.account).rawValue)
    let device = WhoamiView.Device(id: who.device?.description, name: who.deviceName)
    return try .json(WhoamiView(account: account, device: device))
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
    return try await whoami()
  }

  static func checkedName(_ typed: String) throws -> String {
    let name = typed.trimmingBlanks()
    guard name.utf8.count <= Limits.titleBytes else {
      throw RecordsError(
        .limitExceeded,
        "The name is too long: \(ByteCount(name.utf8.count)); "
          + "the limit is \(ByteCount(Limits.titleBytes).limit).")
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
      return try await whoami()
    }
    if let join = form.join {
      try await self.join(join)
      return try await whoami()
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
        "The account name is too long: \(ByteCount(name.utf8.count)); "
          + "the limit is \(ByteCount(Limits.nameBytes).limit).")
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
    try current?.checkSignInByName()
    try await driver.edit { replica, now in ((), try replica.signIn(account: name, now: now)) }
    return try await whoami()
  }

  private func signOut(_ request: Request) async throws -> Response {
    let form = try await body(request, as: SignOutForm.self)
    try await driver.edit { replica, now in
      if form.discardDrafts != true { try Self.requireNoDrafts(replica.reader) }
      return ((), try replica.signOut(discarding: form.discard ?? false, now: now))
    }
    await web.endSessions()
    return Response(status: .noContent)
  }

  private static func requireNoDrafts(_ reader: DeviceReader) throws {
    let count = try reader.read { try DraftTable($0).count() }
    guard count > 0 else { return }
    let (drafts, them) = count == 1 ? ("1 draft", "it") : ("\(count) drafts", "them")
    throw RecordsError(
      .constraintViolation,
      "The web page has \(drafts) of texts that are not saved; signing out would lose \(them).",
      hint:
        "“contactsctl open” shows \(them), under “Drafts”; “contactsctl signout --discard” signs "
        + "out anyway.", reason: "unsavedDrafts")
  }

  // MARK: Others

  /// Returns the account with a name, or the discoverable accounts in pages.
  private func accounts(_ request: Request) async throws -> Response {
    let order =
      request.parameter(AgentQuery.name).map { AccountRequest.find(name: $0) }
      ?? .discoverable(after: request.parameter(AgentQuery.cursor) ?? "")
    guard case .accounts(let found, let isWhole) = try await driver.request(.account(order)) else {
      throw RecordsError(
        .incompatibleVersion, "contactsd cannot read the answer of the broker.",
        hint: "Install the same version of contactsd and contacts-broker.")
    }
    let accounts = found.map {
      AccountItem(id: $0.account.description, name: $0.name, displayName: $0.displayName)
    }
    return try .json(AccountsView(accounts: accounts, next: isWhole ? nil : found.last?.name))
  }
}

/// The status of the account, as in CloudKit.
enum ProfileStatus: String, Sendable {
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
