// Sharing a group: the share and its link. The broker decides, so each route waits for its answer and returns
// `serviceUnavailable` without one. This device creates and stores the link's secret; the broker only
// receives its digest.

import AddressBook
import AgentAPI
import Contacts
import Crypto
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  func addShareRoutes(to router: Router<BasicRequestContext>) {
    let share = AgentPath.share().route
    router.post(share) { request, context in try await create(id(context), request) }
    router.get(share) { _, context in try await fetch(id(context)) }
    router.patch(share) { request, context in try await open(id(context), request) }
    router.delete(share) { _, context in try await stop(id(context)) }
    let link = AgentPath.link().route
    router.post(link) { request, context in try await renew(id(context), request) }
    router.delete(link) { _, context in try await revoke(id(context)) }
    router.post(AgentPath.leave().route) { _, context in try await leave(id(context)) }
  }

  // MARK: The share

  private func create(_ id: String, _ request: Request) async throws -> Response {
    let form = try await body(request, as: SharingForm.self)
    // Checked first, so that nothing is shared by an invalid request.
    let (wanted, invited) = (try form.publicPermission, try form.invitedPermission)
    try form.link.check()
    let group = try managed(id, as: [.owner])
    if !group.isSynced { try await step(seconds: 5) }
    let isNew = try reader.secrets(of: group.zone).isEmpty
    var (share, kept) = try await create(group.zone, wanted ?? .none, form.link)
    guard form.link.isEmpty || isNew && share.link?.digest == kept.digest else {
      throw RecordsError(
        .alreadyShared, "“\(group.displayTitle)” is already shared, so its link was not changed.",
        hint:
          "To replace the link by one that expires or has a limit of uses: contactsctl share renew")
    }
    if let invited {
      try await driver.edit { replica, _ in
        (try replica.store(invitation: invited, to: group.zone), [])
      }
    }
    if let wanted, share.publicPermission != wanted {
      share = try await self.share(.setPublicPermission(group.zone, wanted))
    }
    for name in form.invite ?? [] {
      share = try await invite(Invitation(group: group, name: name, permission: invited))
    }
    return try response(to: share)
  }

  /// Creates the share, or returns the existing one, with the link's secret.
  private func create(
    _ zone: ZoneID, _ permission: SharePermission, _ link: ShareLinkForm
  ) async throws -> (Share, LinkSecret) {
    let kept = try reader.secrets(of: zone).first ?? Self.drawn()
    let newShare = NewShare(zone: zone, permission: permission, link: link)
    if let share = try await created(newShare, kept) { return (share, kept) }
    // The link belonged to a former share, which another device stopped. A new secret is unique.
    try await driver.edit { replica, _ in
      (try replica.forgetSecrets(of: zone, but: nil, among: [kept.digest]), [])
    }
    let drawn = Self.drawn()
    guard let share = try await created(newShare, drawn) else {
      throw RecordsError(
        .serviceUnavailable, "The broker could not create a link for this group.",
        hint: "Try again.")
    }
    return (share, drawn)
  }

  /// Creates the share with this link; returns `nil` if the broker already knows the link.
  private func created(_ newShare: NewShare, _ kept: LinkSecret) async throws -> Share? {
    let form = ShareForm(
      publicPermission: newShare.permission,
      link: try newShare.link.form(kept.digest, SystemClock.now()))
    let known = try await offer(kept, of: newShare.zone)
    defer { offers.end(kept) }
    do {
      return try await share(.create(newShare.zone, form), known)
    } catch let error as RecordsError {
      guard error.field == "digest" else { throw error }
      return nil
    }
  }

  private func fetch(_ id: String) async throws -> Response {
    try await response(to: share(.fetch(zone(id).zone)))
  }

  private func open(_ id: String, _ request: Request) async throws -> Response {
    let form = try await body(request, as: SharingForm.self)
    let group = try managed(id)
    guard let permission = try form.publicPermission else {
      throw RecordsError.invalid("anyone must be none, readOnly or readWrite.", field: "anyone")
    }
    return try await response(to: share(.setPublicPermission(group.zone, permission)))
  }

  private func stop(_ id: String) async throws -> Response {
    let group = try managed(id, as: [.owner])
    let known = offers.settled(try reader.secretDigests())
    _ = try await result(of: .stop(group.zone))
    try await driver.edit { replica, _ in
      (try replica.forgetSecrets(of: group.zone, but: nil, among: known), [])
    }
    return Response(status: .noContent)
  }

  private func leave(_ id: String) async throws -> Response {
    let group = try zone(id)
    guard group.role != .owner else {
      throw RecordsError(
        .invalidArguments, "“\(group.displayTitle)” is your own group, which you cannot leave.",
        hint: "To stop sharing it: contactsctl share stop")
    }
    _ = try await result(of: .leave(group.zone))
    // Wait for the directory, so that the next request does not see the group any more.
    try? await step(seconds: 5)
    return Response(status: .noContent)
  }

  // MARK: The link

  private func renew(_ id: String, _ request: Request) async throws -> Response {
    let form = try await body(request, as: ShareLinkForm.self)
    let group = try managed(id)
    let kept = Self.drawn()
    let link = try form.form(kept.digest, SystemClock.now())
    let known = try await offer(kept, of: group.zone)
    defer { offers.end(kept) }
    return try await response(to: share(.renewLink(group.zone, link), known))
  }

  private func revoke(_ id: String) async throws -> Response {
    try await response(to: share(.revokeLink(managed(id).zone)))
  }

  private static func drawn() -> LinkSecret {
    var generator = SystemRandomNumberGenerator()
    let secret = ShareSecret.random(using: &generator)
    return LinkSecret(secret: secret, digest: Array(SHA256.hash(data: secret.bytes)))
  }

  // MARK: Answers

  /// Returns the share in the broker's answer to a request. Deletes the secrets of revoked links, except of
  /// those that were created while the request was active.
  func share(_ order: SharingRequest) async throws -> Share {
    let known = offers.settled(try reader.secretDigests())
    return try await share(order, known)
  }

  private func share(_ order: SharingRequest, _ known: Set<[UInt8]>) async throws -> Share {
    let share = try await answer(to: order)
    try await settle(share, known)
    return share
  }

  /// Stores the secret of a link before it is sent, so that a lost answer does not leave a link whose secret
  /// no device has. The caller ends the offer.
  /// - Returns: The digests that the broker's answer will cover.
  private func offer(_ kept: LinkSecret, of zone: ZoneID) async throws -> Set<[UInt8]> {
    let known = offers.settled(try reader.secretDigests()).union([kept.digest])
    offers.begin(kept)
    do {
      try await driver.edit { replica, _ in (try replica.store(kept, of: zone), []) }
    } catch {
      offers.end(kept)
      throw error
    }
    return known
  }

  /// Returns the broker's answer to a request about a share. Errors name the group by its title.
  func result(of order: SharingRequest) async throws -> OrderAnswer {
    do {
      return try await driver.request(.share(order))
    } catch var error as RecordsError {
      error.title = try reader.groups().first { $0.zone == order.zone }?.displayTitle
      throw error
    }
  }

  private func answer(to order: SharingRequest) async throws -> Share {
    guard case .share(.share(let share)) = try await result(of: order) else {
      throw RecordsError(
        .incompatibleVersion, "contactsd cannot read the answer of the broker.",
        hint: "Install the same version of contactsd and contacts-broker.")
    }
    return share
  }

  /// Returns the group if this account may manage its share. The broker checks again, with its current
  /// permissions.
  func managed(
    _ id: String, as roles: Set<DirectoryEntry.Role> = [.owner, .administrator]
  ) throws -> GroupView {
    let group = try zone(id)
    guard roles.contains(group.role) else {
      throw RecordsError(
        .permissionFailure,
        roles == [.owner]
          ? "Only the owner of “\(group.displayTitle)” can share it or stop sharing it."
          : "Only the owner and administrators can manage the participants of “\(group.displayTitle)”.",
        hint: "Ask \(group.ownerDisplayName).")
    }
    return group
  }

  private func settle(_ share: Share, _ known: Set<[UInt8]>) async throws {
    // The broker does not send the link to participants who may not manage the share.
    guard share.link != nil || share.zone.owner == .current else { return }
    try await driver.edit { replica, _ in
      (try replica.forgetSecrets(of: share.zone, but: share.link?.digest, among: known), [])
    }
  }

  /// Returns the response with a share, and its link if this device has it.
  func response(to share: Share) throws -> Response {
    let secret = try reader.secrets(of: share.zone).first { $0.digest == share.link?.digest }
    let address = secret.map { ShareAddress(secret: $0.secret, container: settings.container) }
    return try .json(ShareView(share, link: address))
  }

  /// Waits until this device is synchronized with the broker.
  /// - Throws: `serviceUnavailable` if that takes longer than `seconds`.
  func step(seconds: Double) async throws {
    guard try await driver.synchronize(waitSeconds: seconds) else {
      throw RecordsError(
        .serviceUnavailable,
        driver.responsiveness.sentence(at: SystemClock.now())
          ?? "Still not synchronized with the broker after \(Int(seconds)) s.",
        hint: driver.responsiveness.hint(whenLive: "Try again when contactsctl status says live."))
    }
  }
}

/// The share to create.
///
/// NB: One value and not three arguments, because of a compiler fault: an asynchronous function whose
/// arguments do not fit into registers returns with another stack pointer (Swift 6.3, x86-64, unoptimized).
private struct NewShare {
  let zone: ZoneID
  let permission: SharePermission
  let link: ShareLinkForm
}
