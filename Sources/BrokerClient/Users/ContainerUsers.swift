// The current user, other users, and whether other users can find the current one. An account can see itself,
// the accounts that it shares a zone with, and discoverable accounts. To the account, all others do not exist.

import Records

extension Container {
  // MARK: The current user

  /// Returns the id of the current user. CloudKit: `userRecordID()`.
  ///
  /// `Record.creatorUserID` contains the same.
  /// - Throws: `notAuthenticated`, `permissionFailure`, `networkUnavailable`.
  public func userID() async throws(RecordsError) -> UserID {
    UserID(try await session.welcome().account)
  }

  /// Returns the id of the record in which a program stores its own fields about the current user. CloudKit:
  /// `userRecordID()`.
  ///
  /// It is a record of the standard zone like any other, with the user's id as its name. The broker does not
  /// create it: save one, of any type. In the private database, it is the same on all the user's devices. In
  /// the public database, other users can read it there; because they can also create a record with that name,
  /// a reader compares `Record.creatorUserID` with the id.
  /// - Throws: The same errors as `userID()`.
  public func userRecordID() async throws(RecordsError) -> RecordID {
    RecordID(recordName: try await userID().description)
  }

  /// Returns the current user's id and names. CloudKit: `userIdentity(forUserRecordID:)` of the own id.
  /// - Throws: The same errors as `userID()`.
  public func currentUserIdentity() async throws(RecordsError) -> UserIdentity {
    UserIdentity(try await ownProfile(.me))
  }

  /// Sets the name that people see instead of the account's name. CloudKit has no equivalent; there it is the
  /// name of the iCloud account.
  ///
  /// Participants of shared zones see the new name at once.
  /// - Parameter name: 255 bytes at most, without control characters. An empty name restores the account's
  ///   name.
  /// - Returns: The current user with the new name.
  /// - Throws: `invalidArguments`, `limitExceeded`, and the errors of `userID()`.
  @discardableResult
  public func setDisplayName(_ name: String) async throws(RecordsError) -> UserIdentity {
    UserIdentity(try await ownProfile(.setDisplayName(name)))
  }

  // MARK: Other users

  /// Returns a user by its id, for example the creator of a record. CloudKit:
  /// `userIdentity(forUserRecordID:)`.
  /// - Returns: `nil` if there is no such user or the current user may not see it.
  /// - Throws: The same errors as `userID()`.
  public func userIdentity(for id: UserID) async throws(RecordsError) -> UserIdentity? {
    try await userIdentities(for: [id])[id]
  }

  /// Returns users by their ids. CloudKit: `CKDiscoverUserIdentitiesOperation`.
  ///
  /// The function sends one message for each 100 ids.
  /// - Returns: The users that the current user may see: itself, users that it shares a zone with, and
  ///   discoverable users. Other ids are omitted, whether they exist or not.
  /// - Throws: The same errors as `userID()`.
  public func userIdentities(
    for ids: [UserID]
  ) async throws(RecordsError) -> [UserID: UserIdentity] {
    let accounts = Set(ids).map(\.stored)
    var found: [UserID: UserIdentity] = [:]
    for start in stride(from: 0, to: accounts.count, by: Limits.accountsPerPage) {
      let end = min(start + Limits.accountsPerPage, accounts.count)
      for profile in try await profiles(.look(Array(accounts[start..<end]))) {
        found[UserID(profile.account)] = UserIdentity(profile)
      }
    }
    return found
  }

  /// Returns the discoverable user whose account has a name. CloudKit:
  /// `userIdentity(forUserWithEmailAddress:)`.
  /// - Returns: `nil` if there is no such user or it is not discoverable.
  /// - Throws: `invalidArguments`, `limitExceeded`, and the errors of `userID()`.
  public func userIdentity(named name: String) async throws(RecordsError) -> UserIdentity? {
    try await profiles(.find(name: name)).first.map(UserIdentity.init)
  }

  /// Returns all discoverable users, sorted by account name, as a sequence that fetches each page when it is
  /// needed. CloudKit: `CKDiscoverAllUserIdentitiesOperation`.
  public func discoverableUserIdentities() -> DiscoverableUsers {
    DiscoverableUsers(session: session)
  }

  // MARK: Discoverability

  /// Returns whether other users can find the current user. CloudKit: `applicationPermissionStatus(for:)`.
  /// - Throws: The same errors as `userID()`.
  public func discoverabilityStatus() async throws(RecordsError) -> DiscoverabilityStatus {
    status(of: try await ownProfile(.me))
  }

  /// Asks the user for the permission that other users can find it, unless the user has answered before.
  /// CloudKit: `requestApplicationPermission(_:)`.
  ///
  /// CloudKit shows the question itself; here the program shows it. The answer is stored on the broker, and a
  /// denial in the device identity too, so that the program asks once.
  /// - Parameter ask: Shows the question and returns whether the user grants the permission.
  /// - Returns: `granted` or `denied`.
  /// - Throws: The same errors as `userID()`. If the broker cannot store the answer, nothing is stored.
  public func requestDiscoverability(
    _ ask: @Sendable () async -> Bool
  ) async throws(RecordsError) -> DiscoverabilityStatus {
    let status = try await discoverabilityStatus()
    guard status == .initialState else { return status }
    return try await setDiscoverable(await ask())
  }

  /// Sets whether other users can find the current user, for example by a switch in the program's settings.
  ///
  /// Users that already share a zone with the current one continue to see it. CloudKit has no equivalent;
  /// there the user changes the permission in the system's settings.
  /// - Returns: `granted` or `denied`.
  /// - Throws: The same errors as `userID()`.
  @discardableResult
  public func setDiscoverable(
    _ isDiscoverable: Bool
  ) async throws(RecordsError) -> DiscoverabilityStatus {
    let profile = try await ownProfile(.setDiscoverable(isDiscoverable))
    sharedIdentity.update { $0.hasDeniedDiscoverability = !isDiscoverable }
    return status(of: profile)
  }

  private func status(of profile: AccountProfile) -> DiscoverabilityStatus {
    guard !profile.isDiscoverable else { return .granted }
    return sharedIdentity.current.hasDeniedDiscoverability ? .denied : .initialState
  }

  // MARK: Requests

  private func ownProfile(_ request: AccountRequest) async throws(RecordsError) -> AccountProfile {
    guard let own = try await profiles(request).first else { throw Database.unexpectedAnswer }
    return own
  }

  private func profiles(_ request: AccountRequest) async throws(RecordsError) -> [AccountProfile] {
    guard case .accounts(let profiles, _) = try await session.ask(.account(request)) else {
      throw Database.unexpectedAnswer
    }
    return profiles
  }
}
