// Making and changing the share of a zone. Each request names the state to reach, so the session can repeat it
// after a lost connection, and a program can repeat a call that failed.

import Records

extension Database {
  // MARK: The share

  /// Shares a zone. CloudKit: `save(_:)` of a `CKShare(recordZoneID:)`.
  ///
  /// If the zone is already shared, its share is returned unchanged, and `Share.link` is `nil` unless the
  /// options contain its link. Only the owner can share a zone. The standard zone and the zone of the public
  /// database cannot be shared.
  /// - Parameters:
  ///   - zone: The zone, with all its records.
  ///   - publicPermission: The permission of any account that has the link; `none` admits only accounts that
  ///     are invited by name.
  ///   - options: The share's link. Its secret never leaves the program: only its digest is sent.
  /// - Returns: The share, with its link.
  /// - Throws: `zoneNotFound`; `permissionFailure` if another account owns the zone; `invalidArguments` for a
  ///   zone that cannot be shared, for a link of another container (reason `otherContainer`), and for a link
  ///   that a share had before (reason `knownLink`).
  @discardableResult
  public func createShare(
    of zone: ZoneID, publicPermission: SharePermission = .none,
    options: ShareLinkOptions = ShareLinkOptions()
  ) async throws(RecordsError) -> Share {
    let link = try newLink(options)
    let form = ShareForm(
      publicPermission: publicPermission, link: try options.form(of: link))
    return try await share(.create(try storedZone(zone), form), link: link)
  }

  /// Fetches the share of a zone. CloudKit: `record(for:)` with the id of the zone's share.
  /// - Throws: `unknownItem`, reason `notShared`, if the zone is not shared; `zoneNotFound`.
  public func share(of zone: ZoneID) async throws(RecordsError) -> Share {
    try await share(.fetch(try storedZone(zone)))
  }

  /// Sets the permission of accounts that accept with the link without an invitation. CloudKit:
  /// `CKShare.publicPermission`.
  ///
  /// Participants who accepted before keep their permission; `save(_:in:)` changes it.
  /// - Throws: `permissionFailure` unless the current user is the owner or an administrator; `unknownItem`,
  ///   reason `notShared`; `zoneNotFound`. All functions that change a share throw these.
  @discardableResult
  public func setPublicPermission(
    _ permission: SharePermission, of zone: ZoneID
  ) async throws(RecordsError) -> Share {
    try await share(.setPublicPermission(try storedZone(zone), permission))
  }

  /// Ends the share at once: no other account can read the zone afterwards. CloudKit: deletion of the
  /// `CKShare`.
  ///
  /// Only the owner can stop sharing. Ending a share that does not exist succeeds.
  /// - Throws: `zoneNotFound`; `permissionFailure` if another account owns the zone.
  public func stopSharing(_ zone: ZoneID) async throws(RecordsError) {
    try await finish(.stop(try storedZone(zone)))
  }

  /// Leaves the share of a zone that another account owns. The zone disappears from the shared database.
  /// CloudKit: deletion of the `CKShare` in the shared database.
  ///
  /// Leaving a share again succeeds.
  /// - Throws: `invalidArguments` for the owner, who stops sharing instead; `zoneNotFound`.
  public func leaveShare(of zone: ZoneID) async throws(RecordsError) {
    try await finish(.leave(try storedZone(zone)))
  }

  // MARK: The link

  /// Gives a share a new link and revokes the one before. Participants who accepted stay. CloudKit has no
  /// equivalent; there a new share has a new URL.
  /// - Throws: `invalidArguments`, reason `otherContainer` or `knownLink`, as `createShare` does, and the
  ///   errors of `setPublicPermission(_:of:)`.
  @discardableResult
  public func renewShareLink(
    of zone: ZoneID, options: ShareLinkOptions = ShareLinkOptions()
  ) async throws(RecordsError) -> Share {
    let link = try newLink(options)
    return try await share(
      .renewLink(try storedZone(zone), try options.form(of: link)), link: link)
  }

  /// Revokes the link of a share. Participants who accepted stay.
  /// - Throws: The errors of `setPublicPermission(_:of:)`.
  @discardableResult
  public func revokeShareLink(of zone: ZoneID) async throws(RecordsError) -> Share {
    try await share(.revokeLink(try storedZone(zone)))
  }

  private func newLink(_ options: ShareLinkOptions) throws(RecordsError) -> ShareLink {
    guard let link = options.link else { return .random(in: containerName) }
    try link.check(isIn: containerName)
    return link
  }

  // MARK: Requests

  /// Sends a request that is answered by a share.
  /// - Parameter link: The link of the request, if it has one.
  func share(
    _ request: SharingRequest, link: ShareLink? = nil
  ) async throws(RecordsError) -> Share {
    let account = try await session.welcome().account
    guard case .shared(.share(let share)) = try await session.ask(.share(request)) else {
      throw Self.unexpectedAnswer
    }
    return try Share(share, account: account, link: link)
  }

  /// Sends a request that is answered without data.
  private func finish(_ request: SharingRequest) async throws(RecordsError) {
    guard case .shared(.done) = try await session.ask(.share(request)) else {
      throw Self.unexpectedAnswer
    }
  }
}
