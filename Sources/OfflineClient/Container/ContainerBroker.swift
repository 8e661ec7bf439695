import BrokerClient
import BrokerLinks
import DeviceDriver
import DeviceStore
import Records

/// The location of a container's broker, from its configuration or from an invitation. The configuration takes
/// precedence, unless it is the default.
struct ContainerBroker: Sendable {
  private let configured: BrokerAddress?
  private let choice: BrokerChoice

  init(configured: BrokerAddress?, reader: DeviceReader) {
    self.configured = configured
    choice = BrokerChoice(
      configured: configured?.endpoints ?? [],
      isChosen: configured != nil && configured != .local, reader: reader)
  }

  /// The endpoints, empty for a container without a broker, and the key.
  var addressing: BrokerAddressing { choice.addressing }

  /// Checks that an account's name is enough to sign in.
  /// - Throws: `notAuthenticated` if the container needs an invitation.
  func checkSignInByName() throws { try choice.checkSignInByName() }

  /// Checks that the container can use a broker at these addresses.
  /// - Throws: `permissionFailure` if the configuration names another broker.
  func check(_ addresses: [TLSDestination]) throws(RecordsError) {
    guard !choice.admits(addresses), let configured else { return }
    throw RecordsError(
      .permissionFailure,
      "The container was opened with the broker “\(configured)”, and the invitation is for another "
        + "address.",
      hint: "Set `broker` of its configuration to nil, and open it again.", reason: "otherBroker")
  }
}
