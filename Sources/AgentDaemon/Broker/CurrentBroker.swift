import BrokerLinks
import DeviceStore
import Records

/// The location of the broker, from the settings or from an invitation.
struct CurrentBroker: Sendable {
  let settings: AgentSettings
  let reader: DeviceReader

  /// The endpoints and the key. The settings take precedence.
  var address: BrokerAddressing {
    // Read each time, because joining, signing out and a revocation change it.
    let joined: JoinedBroker?
    do {
      joined = try reader.joinedBroker()
    } catch {
      // NB: the next attempt reads again. Another broker must not get the hello.
      return BrokerAddressing(endpoints: [], keyDigest: nil)
    }
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
