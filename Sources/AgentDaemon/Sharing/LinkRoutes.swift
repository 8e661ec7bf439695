// Links of other accounts: previewing, accepting and declining them, and requesting access if a link is no
// longer valid.

import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  func addLinkRoutes(to router: Router<BasicRequestContext>) {
    router.post(AgentPath.sharePreview.route) { request, _ in
      try await Response.json(PreviewView(preview(.preview(secret(request)))))
    }
    router.post(AgentPath.shareAcceptance.route) { request, _ in
      let accepted = try await join(secret(request))
      // Wait until the group is on this device, because the client may read it after the response.
      try? await step(seconds: 5)
      return try Response.json(PreviewView(accepted))
    }
    router.post(AgentPath.shareRequest.route) { request, _ in
      _ = try await result(of: .requestAccess(secret(request)))
      return Response(status: .noContent)
    }
    router.post(AgentPath.shareRefusal.route) { request, _ in
      _ = try await result(of: .decline(secret(request)))
      return Response(status: .noContent)
    }
  }

  private func secret(_ request: Request) async throws -> ShareSecret {
    let address = try ShareAddress(text: try await body(request, as: FollowedLinkForm.self).link)
    guard address.container == settings.container else {
      throw RecordsError(
        .invalidArguments,
        "This link leads to a group of another application, “\(address.container)”.",
        reason: "otherContainer")
    }
    return address.secret
  }

  /// Accepts a link. The preview says which group will appear, so that this device does not report it as news.
  private func join(_ secret: ShareSecret) async throws -> SharePreview {
    let offered = try await preview(.preview(secret))
    guard !offered.isAccepted else { return offered }
    try await expect(offered.zone, isExpected: true)
    do {
      return try await preview(.accept(secret))
    } catch {
      try await expect(offered.zone, isExpected: false)
      throw error
    }
  }

  private func expect(_ zone: ZoneID, isExpected: Bool) async throws {
    try await driver.edit { replica, _ in
      if isExpected {
        replica.expectedZones.insert(zone)
      } else {
        replica.expectedZones.remove(zone)
      }
      return ((), [])
    }
  }

  private func preview(_ order: SharingRequest) async throws -> SharePreview {
    let answer: OrderAnswer
    do {
      answer = try await result(of: order)
    } catch var error as RecordsError {
      if Self.dead.contains(error.reason ?? "") {
        error.hint = "Ask its owner for access: contactsctl accept LINK --request"
      }
      throw error
    }
    guard case .share(.preview(let preview)) = answer else {
      throw RecordsError(
        .incompatibleVersion, "contactsd cannot read the answer of the broker.",
        hint: "Install the same version of contactsd and contacts-broker.")
    }
    return preview
  }

  /// Why a link is no longer valid.
  private static let dead: Set = ["expired", "usedUp", "revoked", "notInvited", "removed"]
}
