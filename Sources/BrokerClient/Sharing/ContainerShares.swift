import Records

extension Container {
  /// Draws a new link for a share of this container. It leads nowhere before
  /// `Database.createShare(of:publicPermission:options:)` or `Database.renewShareLink(of:options:)` gets it.
  public func newShareLink() -> ShareLink { .random(in: name) }

  /// Fetches what a user sees before accepting a link. CloudKit: `shareMetadata(for:)`,
  /// `CKFetchShareMetadataOperation`.
  /// - Throws: `invalidArguments` with the reason `unknownLink`, `expired`, `usedUp` or `revoked` if the link
  ///   cannot be used, `ownShare` if the current user owns the zone, `otherContainer` if it is a link of
  ///   another container; `permissionFailure`, reason `notInvited`, if the link admits only invited users, or
  ///   `removed` if the user was removed from the zone.
  public func shareMetadata(for link: ShareLink) async throws(RecordsError) -> ShareMetadata {
    try await metadata(.preview(try secret(of: link)))
  }

  /// Accepts the invitation of a link. Afterwards the zone is in the shared database. CloudKit: `accept(_:)`,
  /// `CKAcceptSharesOperation`.
  ///
  /// Accepting again succeeds, and does not count as another use of the link.
  /// - Throws: `tooManyParticipants`; `quotaExceeded` if the account is in the maximum number of zones; and
  ///   the errors of `shareMetadata(for:)`.
  @discardableResult
  public func accept(_ link: ShareLink) async throws(RecordsError) -> ShareMetadata {
    try await metadata(.accept(try secret(of: link)))
  }

  /// Declines an invitation by name. The user's status becomes `left`; the user may be invited again. CloudKit:
  /// deletion of the `CKShare` in the shared database.
  /// - Throws: `permissionFailure`, reason `noInvitation`, if the user was not invited by name;
  ///   `invalidArguments`, reason `accepted`, if the user has accepted and must leave instead; and the other
  ///   errors of `shareMetadata(for:)` about a link that does not exist.
  public func decline(_ link: ShareLink) async throws(RecordsError) {
    try await finish(.decline(try secret(of: link)))
  }

  /// Asks the owner and the administrators of a share for access. CloudKit: `CKShareRequestAccessOperation`.
  ///
  /// Any of the last 50 links of the share will do, for example one that has expired. The answer does not
  /// reveal a decision: the zone appears in the shared database when the request is approved. A request that
  /// waits already stays as it is.
  /// - Throws: `invalidArguments` with the reason `unknownLink`, `ownShare`, `otherContainer`, or `revoked` if
  ///   the zone is not shared any more; `quotaExceeded`, reason `requests`, if 100 requests wait.
  public func requestAccess(with link: ShareLink) async throws(RecordsError) {
    try await finish(.requestAccess(try secret(of: link)))
  }

  private func secret(of link: ShareLink) throws(RecordsError) -> ShareSecret {
    try link.check(isIn: name)
    return link.address.secret
  }

  private func metadata(_ request: SharingRequest) async throws(RecordsError) -> ShareMetadata {
    let account = try await session.welcome().account
    guard case .shared(.preview(let preview)) = try await session.ask(.share(request)) else {
      throw Database.unexpectedAnswer
    }
    return ShareMetadata(preview, account: account)
  }

  private func finish(_ request: SharingRequest) async throws(RecordsError) {
    guard case .shared(.done) = try await session.ask(.share(request)) else {
      throw Database.unexpectedAnswer
    }
  }
}

extension ShareLink {
  /// Throws `invalidArguments`, reason `otherContainer`, unless the link belongs to `container`.
  func check(isIn container: String) throws(RecordsError) {
    guard containerName != container else { return }
    throw RecordsError(
      .invalidArguments,
      "This link belongs to the application “\(containerName)”, not to “\(container)”.",
      hint: "Open it in that application.", reason: "otherContainer")
  }
}
