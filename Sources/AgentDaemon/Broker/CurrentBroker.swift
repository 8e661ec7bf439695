import BrokerLinks
import DeviceDriver
import DeviceStore
import Records

/// The location of the broker, from the settings or from an invitation. The settings take precedence.
struct CurrentBroker: Sendable {
  private let settings: AgentSettings
  private let choice: BrokerChoice

  init(settings: AgentSettings, reader: DeviceReader) {
    self.settings = settings
    choice = BrokerChoice(
      configured: settings.broker, isChosen: settings.isBrokerGiven, reader: reader)
  }

  /// The endpoints and the key.
  var address: BrokerAddressing { choice.addressing }

  /// Checks that an account's name is enough to sign in.
  /// - Throws: `notAuthenticated` if the device needs an invitation.
  func checkSignInByName() throws { try choice.checkSignInByName() }

  /// Checks that a broker at these addresses is the one that the agent uses.
  /// - Throws: `permissionFailure` if the settings name another broker.
  func check(_ addresses: [TLSDestination]) throws(RecordsError) {
    guard !choice.admits(addresses) else { return }
    throw RecordsError(
      .permissionFailure,
      "contactsd was started with the broker “\(BrokerEndpoint.text(of: settings.broker))”, and the "
        + "invitation is for another address.",
      hint: "Remove “broker” from contactsd.conf, the environment or the options of contactsd, and "
        + "restart it.",
      field: "broker")
  }
}
