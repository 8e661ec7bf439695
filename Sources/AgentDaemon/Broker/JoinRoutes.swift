// Joining an account on another machine with an invitation: examining and using it.

import AgentAPI
import BrokerLinks
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Pairing
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  func addJoinRoutes(to router: Router<BasicRequestContext>) {
    router.post(AgentPath.invitation.route) { request, _ in try await examine(request) }
    router.post(AgentPath.deviceInvitation.route) { _, _ in try await invite() }
  }

  /// Returns the account of an invitation, and the number of contacts on this device that would be added or
  /// deleted.
  private func examine(_ request: Request) async throws -> Response {
    let exchange = try exchange(try await body(request, as: JoinForm.self))
    let answer = try await exchange.examine()
    try check(accountName: answer.accountName)
    let contacts = try reader.ownRecords(beforeJoining: answer.accountName)
    return try .json(
      ExaminedInvitationView(
        account: answer.accountName, broker: "\(answer.destination)", contacts: contacts))
  }

  /// Creates an invitation for another device of the account. Only the response contains the code.
  private func invite() async throws -> Response {
    let seconds = InvitationOffer.standardSeconds
    let new = try await driver.invite(seconds: seconds)
    // The time is by the broker's clock, which decides; this device's clock may be wrong.
    return try .json(
      InvitationView(
        link: new.invitation.link, code: new.invitation.code.text, expires: new.expires,
        seconds: seconds))
  }

  /// Joins the account of an invitation.
  func join(_ form: JoinForm) async throws {
    let exchange = try exchange(form)
    // Checked before the invitation is used up.
    let examined = try await exchange.examine()
    let account = examined.accountName
    try check(accountName: account)
    let contacts = try reader.ownRecords(beforeJoining: account)
    guard form.mode != nil || contacts == 0 else {
      throw RecordsError(
        .constraintViolation,
        contacts == 1
          ? "This device already has a contact." : "This device already has \(contacts) contacts.",
        hint: "To add them to the account: --bring. To delete them: --replace.", field: "mode")
    }
    let answer = try await exchange.join(at: examined.destination)
    let addresses = exchange.destinations.map { HostAndPort(host: $0.host, port: $0.port) }
    let broker = JoinedBroker(
      addresses: addresses.map(\.description), keyDigest: answer.brokerKeyDigest)
    // A device that belongs to the account keeps everything: its broker was restored without it, has another key, or was
    // reached in another way before.
    let isReplacing = try form.mode == .replace && !reader.belongs(to: account)
    try await driver.edit { replica, now in
      let actions = try replica.join(
        broker, of: answer.accountName, isReplacing: isReplacing,
        deviceKeyDigest: exchange.deviceKeyDigest, now: now)
      return ((), actions)
    }
  }

  private func check(accountName: String) throws(RecordsError) {
    guard let given = settings.accountName, given != accountName else { return }
    throw RecordsError(
      .permissionFailure,
      "contactsd was started for the account “\(given)”, and the invitation is for “\(accountName)”.",
      hint:
        "Remove “account” from contactsd.conf, the environment or the options of contactsd, and "
        + "restart it.",
      field: "account")
  }

  private func exchange(_ form: JoinForm) throws -> InvitationExchange {
    let exchange = try InvitationExchange(
      form.invitation, address: form.address, deviceKeyDigest: try reader.deviceKeyDigest(),
      loop: driver.loop)
    try current?.check(exchange.destinations)
    return exchange
  }
}
