import Records

extension Database {
  // MARK: Participants

  /// Invites a user to a shared zone by the name of its account. CloudKit:
  /// `CKFetchShareParticipantsOperation` and `CKShare.addParticipant(_:)`.
  ///
  /// The user accepts with the share's link, which the program sends. An invited user counts towards the 100
  /// participants of a share. Inviting a participant again changes its permission.
  /// - Parameter permission: `readOnly` or `readWrite`.
  /// - Throws: `unknownItem`, reason `noSuchAccount`, if no discoverable user has this name;
  ///   `tooManyParticipants`; and the errors of `setPublicPermission(_:of:)`.
  @discardableResult
  public func inviteUser(
    named name: String, to zone: ZoneID, permission: SharePermission
  ) async throws(RecordsError) -> Share {
    try await share(.invite(try storedZone(zone), name: name, permission))
  }

  /// Saves a participant's permission and role. CloudKit: `save(_:)` of the changed `CKShare`.
  ///
  /// The permission applies to every request that the broker receives afterwards. Only the owner can appoint,
  /// change and dismiss administrators, who may always write.
  /// - Throws: `unknownItem`, reason `notParticipant`, if the user has left, was removed or was never
  ///   invited; `permissionFailure` for the owner; and the errors of `setPublicPermission(_:of:)`.
  @discardableResult
  public func save(
    _ participant: ShareParticipant, in zone: ZoneID
  ) async throws(RecordsError) -> Share {
    guard participant.role != .owner else {
      throw RecordsError(
        .permissionFailure,
        "The owner's permission cannot be changed, and no other participant can become the owner.",
        hint: "The role of a participant is administrator or member.")
    }
    return try await share(
      .setParticipant(
        try storedZone(zone), participant.id.stored, participant.permission,
        isAdministrator: participant.role == .administrator))
  }

  /// Removes a participant, which loses access at once. CloudKit: `CKShare.removeParticipant(_:)`.
  ///
  /// The user cannot return by the public link, only by another invitation or an approved request. Removing a
  /// user that is not a participant succeeds.
  /// - Throws: `invalidArguments` for the current user, which leaves instead; `permissionFailure` for the owner;
  ///   and the errors of `setPublicPermission(_:of:)`.
  @discardableResult
  public func removeParticipant(
    _ user: UserID, from zone: ZoneID
  ) async throws(RecordsError) -> Share {
    try await share(.removeParticipant(try storedZone(zone), user.stored))
  }

  // MARK: Requests for access

  /// Decides about a user's request for access, one of `Share.accessRequests`. CloudKit:
  /// `CKShare.addParticipant(_:)`, `denyRequesters(_:)` and `blockRequesters(_:)`.
  ///
  /// An approval makes the user a participant at once. An approved request disappears from the share; denied
  /// and blocked ones stay, so that the decision can be changed.
  /// - Throws: `unknownItem`, reason `noRequest`, if the request does not exist any more;
  ///   `tooManyParticipants`; and the errors of `setPublicPermission(_:of:)`.
  @discardableResult
  public func answer(
    _ request: AccessRequest, to zone: ZoneID, with decision: AccessDecision
  ) async throws(RecordsError) -> Share {
    try await share(.answerRequest(try storedZone(zone), request.id.stored, decision))
  }
}
