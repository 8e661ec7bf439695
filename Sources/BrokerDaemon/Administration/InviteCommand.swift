// `contacts-broker invite`. The code is drawn here and does not reach the broker, which gets a key derived
// from it.

import ArgumentParser
import BrokerCore
import BrokerServer
import DaemonKit
import Foundation
import Glibc
import Pairing
import QRCodes
import Records

/// The `invite` subcommand.
struct InviteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Create an invitation for a device on another machine.",
    discussion: """
      The device joins the account with “contactsctl signin INVITATION”. An invitation works once. \
      Anyone who has it can join, so pass it on privately.
      """)

  @OptionGroup var flags: AdministrationFlags
  @Argument(help: "The account's name, or the name of the user whose account it is.")
  var account: String
  @Option(
    help: ArgumentHelp(
      "Where the device reaches the broker, instead of the setting “address”.",
      valueName: "host:port"))
  var address: String?
  @Option(
    help: ArgumentHelp("How long the invitation can be used, for example 10m.", valueName: "time"))
  var expires = InvitationTime(seconds: InvitationOffer.standardSeconds)
  @Flag(help: "Print JSON.") var json = false

  private struct Created: Encodable {
    let schema = 1
    let link: String
    let code: String
    let expires: String

    enum CodingKeys: CodingKey { case schema, link, code, expires }
  }

  func run() {
    flags.run { state in
      let addresses = try addresses(ofState: state.statePath)
      var generator = SystemRandomNumberGenerator()
      let invitation = DeviceInvitation(code: .random(using: &generator), addresses: addresses)
      let key = InvitationKey(of: invitation.code)
      let offer = InvitationOffer(id: key.id, key: key.bytes, seconds: expires.seconds)
      let sentence = try send(offer, to: AdministrationClient(location: state))
      try show(invitation, sentence, until: BrokerClock.now().adding(seconds: expires.seconds))
    }
  }

  /// Sends the offer. A name that no account has may be that of a user of this machine, whose account the broker named by
  /// the user's number.
  private func send(_ offer: InvitationOffer, to client: AdministrationClient) throws -> String {
    do {
      return try client.send(.invite(account: account, offer))
    } catch let error as RecordsError where error.code == .unknownItem {
      guard let uid = UserTable.number(of: account) else { throw error }
      do {
        return try client.send(.invite(account: AccountNameRules.derived(from: uid), offer))
      } catch let derived as RecordsError where derived.code == .unknownItem {
        throw error
      }
    }
  }

  /// The addresses that the invitation names.
  private func addresses(ofState state: String) throws -> [String] {
    if let address {
      return try ListenAddress.list(
        address, standardPort: BrokerSettings.standardPort, key: "address"
      ).map(\.description)
    }
    let settings = try flags.settings()
    // A broker that has listened has a key, also if systemd opens its port.
    let hasKey = access("\(state)/\(RemoteListener.keyFile)", F_OK) == 0
    guard !settings.listen.isEmpty || hasKey else {
      throw DaemonError(
        .configuration, "The broker does not accept devices on other machines.",
        hint:
          "Enable contacts-broker-tls.socket, or set “listen” in its configuration, and restart it."
      )
    }
    return settings.addresses
  }

  private func show(
    _ invitation: DeviceInvitation, _ sentence: String, until end: Timestamp
  ) throws {
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let created = Created(link: invitation.link, code: invitation.code.text, expires: "\(end)")
      return AdministrationOutput.writeLine(
        String(decoding: try encoder.encode(created), as: UTF8.self))
    }
    guard isatty(STDOUT_FILENO) == 1 else { return AdministrationOutput.writeLine(invitation.link) }
    if let code = QRCode(Array(invitation.link.utf8)) {
      AdministrationOutput.writeLine(code.lines(isOnLight: true).joined(separator: "\n"))
    }
    AdministrationOutput.writeLine(
      """
      \(sentence) Run on the device, within \(expires):

        contactsctl signin \(invitation.link)

      To type it instead:

        contactsctl signin \(invitation.code.text) --address \(invitation.addresses.joined(separator: ","))
      """)
  }
}

/// How long an invitation can be used: a number of seconds, or of minutes or hours with “m” or “h”.
struct InvitationTime: ExpressibleByArgument, CustomStringConvertible {
  let seconds: Int64

  init(seconds: Int64) {
    self.seconds = seconds
  }

  init?(argument: String) {
    let factors: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
    let factor = argument.last.flatMap { factors[$0] }
    let digits = factor == nil ? argument : String(argument.dropLast())
    guard let count = Int64(digits), (1...InvitationOffer.secondsMaximum).contains(count) else {
      return nil
    }
    seconds = count * (factor ?? 1)
    guard seconds <= InvitationOffer.secondsMaximum else { return nil }
  }

  var description: String {
    if seconds % 3600 == 0 { return "\(seconds / 3600)h" }
    return seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
  }
}
