// The account of a container: joining one by an invitation, inviting other devices, signing out and signing in.

import BrokerClient
import BrokerLinks
import DeviceDriver
import DeviceStore
import Pairing
import Records
import SyncCore

extension OfflineContainer {
  // MARK: Invitations

  /// Joins an account of a broker on another machine by an invitation, which can be used once.
  ///
  /// The container then synchronizes with that broker over TLS, also after a restart, and trusts no other machine at
  /// its addresses. If the function throws, nothing has changed on this device. If the connection was lost after the
  /// broker admitted the device, the same invitation can be used again on this device.
  ///
  /// A container that was signed out, or removed from its account, can join again with the same file. One that joined
  /// the account at this broker before keeps its records.
  /// - Parameters:
  ///   - invitation: The link, `contacts-device:…`, or the code alone. See `inviteDevice(validSeconds:)`.
  ///   - address: Where the broker is, `HOST:PORT` or several with commas, instead of what the link says.
  ///   - existingRecords: What happens to records that are in the file and do not belong to this account at this broker.
  ///     `nil` rejects the invitation if there are such records.
  /// - Returns: The name of the account.
  /// - Throws: `constraintViolation`, reason `existingRecords`, if there are records and `existingRecords` is `nil`, or
  ///   reason `signedIn` if the container belongs to an account of another name; `invalidArguments` if the invitation has a typing
  ///   error; `permissionFailure` if it has expired or was used, or if the configuration names another account or
  ///   broker; `unknownItem` if the broker does not know it; `networkUnavailable` if no broker answers.
  @discardableResult
  public func join(
    _ invitation: String, address: String? = nil, existingRecords: ExistingRecordsPolicy? = nil
  ) async throws(RecordsError) -> String {
    try checkIsOpen()
    do {
      let exchange = try invitationExchange(invitation, address: address)
      // Checked before the invitation is used up.
      let examined = try await exchange.examine()
      try check(accountName: examined.accountName)
      try check(existingRecords, joining: examined)
      let answer = try await exchange.join(at: examined.destination)
      let addresses = exchange.destinations.map { HostAndPort(host: $0.host, port: $0.port) }
      let broker = JoinedBroker(
        addresses: addresses.map(\.description), keyDigest: answer.brokerKeyDigest)
      let isDeleting = try existingRecords == .delete && !belongs(to: examined)
      try await driver.edit { replica, now in
        let actions = try replica.join(
          broker, of: answer.accountName, isReplacing: isDeleting,
          deviceKeyDigest: exchange.deviceKeyDigest, now: now)
        return ((), actions)
      }
      return answer.accountName
    } catch {
      throw RecordsError(anyError: error)
    }
  }

  /// Creates an invitation for another device of the account. The broker must listen for devices on other machines.
  /// - Parameter validSeconds: How long the invitation can be used, 1 to 86,400 seconds; by default ten minutes.
  /// - Throws: `constraintViolation`, reason `notListening`, if the broker accepts no devices on other machines;
  ///   `serviceUnavailable` without a connection.
  public func inviteDevice(validSeconds: Int = 600) async throws(RecordsError) -> DeviceInvitation {
    try checkIsOpen()
    return try await RecordsError.converting { try await invite(seconds: Int64(validSeconds)) }
  }

  // MARK: Signing out and in

  /// Erases all records of the account from this device, with its files and their bytes on the disk, and ends the
  /// connection. The broker and the other devices keep everything. Saves fail with `notAuthenticated` until the
  /// container signs in again, as a new device.
  /// - Parameter discardingEdits: Whether to erase edits that the broker does not have.
  /// - Throws: `serviceUnavailable`, reason `unsentEdits` or, if the broker has rejected others, `unsentAndRejectedEdits`,
  ///   if there are such edits; `constraintViolation`, reason `rejectedEdits`, if there are only rejected ones;
  ///   `notAuthenticated` if the container is signed out already. Then nothing has changed.
  public func signOut(discardingEdits: Bool = false) async throws(RecordsError) {
    try checkIsOpen()
    try await RecordsError.converting {
      try await driver.edit { replica, now in
        ((), try replica.signOut(discarding: discardingEdits, now: now))
      }
    }
  }

  /// Signs in after `signOut(discardingEdits:)`, or after the device was removed from its account, as a new device of
  /// an account. The container connects to the broker of its configuration. To sign in to a broker over TLS, call
  /// `join(_:address:existingRecords:)`.
  /// - Parameter account: The account's name; `nil` for the account of the configuration, or else for the one that the
  ///   broker knows this user by.
  /// - Throws: `notAuthenticated`, reason `invitationNeeded`, if the container had joined a broker over TLS and none runs
  ///   on this machine; `constraintViolation`, reason `signedIn`, if the container is signed in; `invalidArguments` or
  ///   `limitExceeded` for a name that no account can have; `permissionFailure` if the configuration names another
  ///   account.
  public func signIn(account: String? = nil) async throws(RecordsError) {
    try checkIsOpen()
    try await RecordsError.converting {
      if let account { try checkSignIn(to: account) }
      try broker.checkSignInByName()
      try await driver.edit { replica, now in
        ((), try replica.signIn(account: account, now: now))
      }
    }
  }
}

extension OfflineContainer {
  private func invitationExchange(
    _ invitation: String, address: String?
  ) throws -> InvitationExchange {
    let exchange = try InvitationExchange(
      invitation, address: address, deviceKeyDigest: try driver.reader.deviceKeyDigest(),
      loop: driver.loop)
    try broker.check(exchange.destinations)
    return exchange
  }

  private func check(accountName: String) throws(RecordsError) {
    guard let given = configuration.accountName, given != accountName else { return }
    throw RecordsError(
      .permissionFailure,
      "The container was opened for the account “\(given)”, not for “\(accountName)”.",
      hint: "Set `accountName` of its configuration to nil, and open it again.",
      reason: "otherAccountName")
  }

  /// Checks that nothing is merged or deleted that the program does not know of.
  private func check(
    _ policy: ExistingRecordsPolicy?, joining examined: InvitationExchange.Answer
  ) throws {
    let count = try driver.reader.ownRecords(
      beforeJoining: examined.accountName, at: examined.brokerKeyDigest)
    guard policy == nil, count > 0 else { return }
    throw RecordsError(
      .constraintViolation,
      count == 1
        ? "This device already has a record that does not belong to this account."
        : "This device already has \(count) records that do not belong to this account.",
      hint: "Pass `existingRecords`: `.merge` adds them to the account, `.delete` deletes them.",
      reason: "existingRecords")
  }

  /// Whether the container belongs to the account already. An account of the same name at another broker is another one.
  private func belongs(to examined: InvitationExchange.Answer) throws -> Bool {
    try driver.reader.belongs(to: examined.accountName, at: examined.brokerKeyDigest)
  }

  private func invite(seconds: Int64) async throws -> DeviceInvitation {
    guard (1...InvitationOffer.secondsMaximum).contains(seconds) else {
      throw RecordsError.invalid(
        "An invitation can be used for 1 to \(InvitationOffer.secondsMaximum) seconds, not \(seconds)."
      )
    }
    let new = try await driver.invite(seconds: seconds)
    return DeviceInvitation(new.invitation, expires: new.expires)
  }

  /// Checks a name that the broker would reject in a hello.
  private func checkSignIn(to account: String) throws(RecordsError) {
    guard !account.isEmpty else { throw .invalid("The account name cannot be empty.") }
    guard account.utf8.count <= Limits.nameBytes else {
      throw .limit("Bytes of an account name", limit: Limits.nameBytes, actual: account.utf8.count)
    }
    try check(accountName: account)
  }
}
