import BrokerLinks
import DeviceStore
import Records
import Synchronization

/// Where the broker is: as the settings say, or an invitation.
final class CurrentBroker: Sendable {
  private let settings: AgentSettings
  private let joined: Mutex<JoinedBroker?>

  /// - Parameter joined: the broker that this device has joined.
  init(_ settings: AgentSettings, joined: JoinedBroker?) {
    self.settings = settings
    self.joined = Mutex(joined)
  }

  /// Changes what an invitation said.
  func set(_ broker: JoinedBroker?) { joined.withLock { $0 = broker } }

  /// The endpoints and the key. What the settings say comes first.
  var address: BrokerAddressing {
    let joined = joined.withLock { $0 }
    let destinations = (joined?.addresses ?? []).compactMap { try? TLSDestination(address: $0) }
    let endpoints =
      settings.isBrokerGiven || destinations.isEmpty
      ? settings.broker : destinations.map { BrokerEndpoint.tls($0) }
    return BrokerAddressing(endpoints: endpoints, keyDigest: joined?.keyDigest)
  }

  /// Checks that a broker at these addresses is the one that the agent uses.
  /// - Throws: `permissionFailure` if the settings name another broker.
  func check(_ addresses: [TLSDestination]) throws(RecordsError) {
    guard settings.isBrokerGiven else { return }
    let isKnown = settings.broker.contains { endpoint in
      if case .tls(let destination) = endpoint { addresses.contains(destination) } else { false }
    }
    guard !isKnown else { return }
    throw RecordsError(
      .permissionFailure,
      "contactsd was started with the broker “\(BrokerEndpoint.text(of: settings.broker))”, and the "
        + "invitation is for another address.",
      hint: "Remove “broker” from contactsd.conf, the environment or the options of contactsd, and "
        + "restart it.",
      field: "broker")
  }
}
