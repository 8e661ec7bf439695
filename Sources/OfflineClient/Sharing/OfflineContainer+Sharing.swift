// Sharing zones, and users. These functions need the broker's answer, so they throw `serviceUnavailable` without a
// connection. A shared zone's records come to the device by themselves, and go when access ends.

import BrokerClient
import Records

extension OfflineContainer {
  // MARK: The share of a zone

  /// Shares a zone. See `Database.createShare(of:publicPermission:options:)`.
  ///
  /// The broker must have the zone: call `synchronize(waitSeconds:)` after creating one.
  @discardableResult
  public func createShare(
    of zone: ZoneID, publicPermission: SharePermission = .none,
    options: ShareLinkOptions = ShareLinkOptions()
  ) async throws(RecordsError) -> Share {
    try await database(of: zone).createShare(
      of: zone, publicPermission: publicPermission, options: options)
  }

  /// Fetches the share of a zone. See `Database.share(of:)`.
  public func share(of zone: ZoneID) async throws(RecordsError) -> Share {
    try await database(of: zone).share(of: zone)
  }

  /// Sets the permission of accounts that accept with the link. See `Database.setPublicPermission(_:of:)`.
  @discardableResult
  public func setPublicPermission(
    _ permission: SharePermission, of zone: ZoneID
  ) async throws(RecordsError) -> Share {
    try await database(of: zone).setPublicPermission(permission, of: zone)
  }

  /// Gives a share a new link and revokes the one before. See `Database.renewShareLink(of:options:)`.
  @discardableResult
  public func renewShareLink(
    of zone: ZoneID, options: ShareLinkOptions = ShareLinkOptions()
  ) async throws(RecordsError) -> Share {
    try await database(of: zone).renewShareLink(of: zone, options: options)
  }

  /// Revokes the link of a share. See `Database.revokeShareLink(of:)`.
  @discardableResult
  public func revokeShareLink(of zone: ZoneID) async throws(RecordsError) -> Share {
    try await database(of: zone).revokeShareLink(of: zone)
  }

  /// Ends the share at once. See `Database.stopSharing(_:)`.
  public func stopSharing(_ zone: ZoneID) async throws(RecordsError) {
    try await database(of: zone).stopSharing(zone)
  }

  /// Leaves the share of a zone that another account owns. See `Database.leaveShare(of:)`.
  public func leaveShare(of zone: ZoneID) async throws(RecordsError) {
    try await database(of: zone).leaveShare(of: zone)
  }

  // MARK: Participants

  /// Invites a user by name. See `Database.inviteUser(named:to:permission:)`.
  @discardableResult
  public func inviteUser(
    named name: String, to zone: ZoneID, permission: SharePermission
  ) async throws(RecordsError) -> Share {
    try await database(of: zone).inviteUser(named: name, to: zone, permission: permission)
  }

  /// Saves a participant's permission and role. See `Database.save(_:in:)`.
  @discardableResult
  public func save(
    _ participant: ShareParticipant, in zone: ZoneID
  ) async throws(RecordsError) -> Share {
    try await database(of: zone).save(participant, in: zone)
  }

  /// Removes a participant, which loses access at once. See `Database.removeParticipant(_:from:)`.
  @discardableResult
  public func removeParticipant(
    _ user: UserID, from zone: ZoneID
  ) async throws(RecordsError) -> Share {
    try await database(of: zone).removeParticipant(user, from: zone)
  }

  // MARK: Links

  /// Returns what a link leads to, without accepting. See `Container.shareMetadata(for:)`.
  public func shareMetadata(for link: ShareLink) async throws(RecordsError) -> ShareMetadata {
    try await online.shareMetadata(for: link)
  }

  /// Accepts a share. Its zone appears among `allZones()` once the device has received it. See
  /// `Container.accept(_:)`.
  @discardableResult
  public func accept(_ link: ShareLink) async throws(RecordsError) -> ShareMetadata {
    try await online.accept(link)
  }

  // MARK: Users

  /// Returns the names of the current user. See `Container.currentUserIdentity()`.
  public func currentUserIdentity() async throws(RecordsError) -> UserIdentity {
    try await online.currentUserIdentity()
  }

  /// Sets the name that other users see. See `Container.setDisplayName(_:)`.
  @discardableResult
  public func setDisplayName(_ name: String) async throws(RecordsError) -> UserIdentity {
    try await online.setDisplayName(name)
  }

  /// Returns the names of users. See `Container.userIdentities(for:)`.
  public func userIdentities(
    for ids: [UserID]
  ) async throws(RecordsError) -> [UserID: UserIdentity] {
    try await online.userIdentities(for: ids)
  }

  // MARK: -

  private var online: Container {
    Container(
      name: configuration.name, session: DriverSession(driver: driver),
      device: DeviceIdentity(name: configuration.deviceName))
  }

  private func database(of zone: ZoneID) -> Database {
    online.database(with: zone.isOwn ? .private : .shared)
  }
}
