// Applies administrative requests. Most are idempotent: a request for a state that already holds succeeds
// and says so, so that a script can repeat it.

import BrokerCore
import FoundationEssentials
import Records
import SQLConnections

/// Applies administrative requests in one transaction.
struct AdministrativeRequestHandler {
  let transaction: SQLTransaction
  let now: Timestamp

  func perform(
    _ request: AdministrativeRequest, identifiers: NewIdentifiers
  ) throws -> AdministrationOutcome {
    switch request {
    case .addAccount(let name, let uid): try addAccount(name, uid, identifiers.account)
    case .allowUser(let uid, let name, true): try allow(uid, name)
    case .allowUser(let uid, let name, false): try disallow(uid, name)
    case .setAccount(let name, let isDisabled): try setAccount(name, isDisabled)
    case .revokeDevice(let id): try revoke(id)
    case .rotateKey(let id, let digest): try rotateKey(of: id, digest)
    case .addContainer(let name): try addContainer(name)
    case .confirmClock: try confirmClock()
    case .invite(let name, let offer): try invite(to: name, offer)
    case .deleteAccount(let name): try delete(name)
    }
  }

  private func addAccount(
    _ name: String, _ uid: UInt32?, _ id: AccountID
  ) throws -> AdministrationOutcome {
    if let objection = AccountNameRules.objection(to: name, of: uid, field: "name") {
      throw objection
    }
    guard try transaction.accounts.account(named: name) == nil else {
      throw RecordsError(
        .constraintViolation, "The account “\(name)” already exists.",
        hint: "Choose another name.")
    }
    if let uid, let other = try transaction.accounts.account(ofUID: uid) {
      throw RecordsError(
        .constraintViolation, "User \(uid) already has the account “\(other.name)”.",
        hint: "Leave --uid out, or choose another user.")
    }
    _ = try transaction.accounts.insert(id, name: name, uid: uid, at: now)
    return AdministrationOutcome("Account “\(name)” was added.")
  }

  private func allow(_ uid: UInt32, _ name: String) throws -> AdministrationOutcome {
    let account = try existing(name)
    guard uid != SignInPlan.overflowUID else {
      throw RecordsError.invalid(
        "User \(uid) stands for every user that a namespace hides.", field: "user")
    }
    if let known = try transaction.accounts.account(ofUID: uid) {
      guard known.key != account.key else {
        return AdministrationOutcome("User \(uid) may already use the account “\(name)”.")
      }
      throw RecordsError(
        .constraintViolation, "User \(uid) already has the account “\(known.name)”.",
        hint:
          "A user has one account. For another one: account disallow \(known.name) --user \(uid)")
    }
    try transaction.accounts.insert(credential: uid, of: account)
    return AdministrationOutcome("User \(uid) may use the account “\(name)”.")
  }

  private func disallow(_ uid: UInt32, _ name: String) throws -> AdministrationOutcome {
    let account = try existing(name)
    guard try transaction.accounts.account(ofUID: uid)?.key == account.key else {
      return AdministrationOutcome("User \(uid) may not use the account “\(name)”.")
    }
    try transaction.accounts.delete(credential: uid)
    return AdministrationOutcome(
      "User \(uid) may not add devices to the account “\(name)” any more. Devices that have signed in "
        + "stay; `device revoke` removes them.")
  }

  private func existing(_ name: String) throws -> StoredAccount {
    guard let account = try transaction.accounts.account(named: name) else {
      throw RecordsError(
        .unknownItem, "There is no account “\(name)”.", hint: "See `account list`.")
    }
    return account
  }

  private func setAccount(_ name: String, _ isDisabled: Bool) throws -> AdministrationOutcome {
    let account = try existing(name)
    let state = isDisabled ? "disabled" : "enabled"
    guard account.isDisabled != isDisabled else {
      return AdministrationOutcome("Account “\(name)” is already \(state).")
    }
    try transaction.db.run(
      "UPDATE account SET is_disabled = ? WHERE key = ?", [isDisabled, account.key])
    transaction.memory.invalidateDevices()
    return AdministrationOutcome(
      "Account “\(name)” is \(state).", expelled: isDisabled ? .account(account.key) : nil)
  }

  private func revoke(_ id: DeviceID) throws -> AdministrationOutcome {
    guard let device = try transaction.devices.device(id) else {
      throw RecordsError(.unknownItem, "There is no device \(id).", hint: "See `device list`.")
    }
    guard !device.isRevoked else {
      return AdministrationOutcome("Device \(id) is already revoked.")
    }
    let effects = try transaction.remove(device)
    return AdministrationOutcome(
      "Device \(id) of “\(device.account.name)” was revoked.", expelled: .revoked(device.key),
      effects: effects)
  }

  private func rotateKey(
    of id: DeviceID, _ digest: [UInt8]
  ) throws -> AdministrationOutcome {
    guard let device = try transaction.devices.device(id) else {
      throw RecordsError(.unknownItem, "There is no device \(id).", hint: "See `device list`.")
    }
    guard !device.isRevoked else {
      throw RecordsError(
        .constraintViolation, "Device \(id) was revoked permanently. A new key cannot restore it.",
        hint: "Sign in again on the device.", reason: "revoked")
    }
    try transaction.invitations.delete(usedByKeyDigest: device.keyDigest)
    try transaction.db.run(
      "UPDATE device SET key_digest = ? WHERE key = ?", [digest, device.key])
    transaction.memory.raiseKeyGeneration(of: device.key)
    return AdministrationOutcome(
      "Device \(id) of “\(device.account.name)” has a new key. The old key no longer works.",
      expelled: .formerKey(of: device.key))
  }

  private func delete(_ name: String) throws -> AdministrationOutcome {
    guard let account = try transaction.accounts.account(named: name) else {
      throw RecordsError(
        .unknownItem, "There is no account “\(name)”.", hint: "See `account list`.")
    }
    let effects = try transaction.delete(account, at: now)
    transaction.memory.invalidateDevices()
    return AdministrationOutcome(
      "Account “\(name)” was deleted.", expelled: .account(account.key), effects: effects)
  }

  private func invite(
    to name: String, _ offer: InvitationOffer
  ) throws -> AdministrationOutcome {
    guard let account = try transaction.accounts.account(named: name) else {
      throw RecordsError(
        .unknownItem, "There is no account “\(name)”.",
        hint: "Add it with `account add`, or see `account list`.")
    }
    try transaction.store(offer, of: account.key, maker: nil, at: now)
    return AdministrationOutcome("A device can join “\(name)”.")
  }

  private func addContainer(_ name: String) throws -> AdministrationOutcome {
    guard !name.isEmpty, name.utf8.count <= Limits.titleBytes, !name.hasControlCharacters else {
      throw RecordsError.invalid(
        "A container's name must have 1 to \(Limits.titleBytes) bytes and no control characters.",
        field: "name")
    }
    _ = try transaction.accounts.container(named: name)
    return AdministrationOutcome("The container “\(name)” exists.")
  }

  private func confirmClock() throws -> AdministrationOutcome {
    try ClockTable(db: transaction.db).update { $0.confirm(at: now) }
    return AdministrationOutcome(
      "The clock is confirmed at \(now). All time until now counts toward the age of data, "
        + "including time in which the broker did not run.")
  }
}
