import BrokerClient
import BrokerLinks
import DeviceStore
import Records

/// The location of a container's broker, from its configuration or from an invitation.
struct ContainerBroker: Sendable {
  /// The broker of the configuration.
  let configured: BrokerAddress?
  let reader: DeviceReader

  /// The endpoints, none for a container without a broker, and the key. The configuration takes precedence, unless it
  /// is the default.
  var addressing: BrokerAddressing {
    // Read each time, because joining, signing out and a removal change it.
    let joined: JoinedBroker?
    do {
      joined = try reader.joinedBroker()
    } catch {
      // NB: the next attempt reads again. Another broker must not get the hello.
      return BrokerAddressing(endpoints: [], keyDigest: nil)
    }
    let destinations = (joined?.addresses ?? []).compactMap { try? TLSDestination(address: $0) }
    let endpoints =
      isChosen || destinations.isEmpty
      ? configured?.endpoints ?? [] : destinations.map { BrokerEndpoint.tls($0) }
    return BrokerAddressing(endpoints: endpoints, keyDigest: joined?.keyDigest)
  }

  /// Checks that the container can use a broker at these addresses.
  /// - Throws: `permissionFailure` if the configuration names another broker.
  func check(_ addresses: [TLSDestination]) throws(RecordsError) {
    guard isChosen, let configured else { return }
    let isKnown = configured.endpoints.contains { endpoint in
      if case .tls(let destination) = endpoint { addresses.contains(destination) } else { false }
    }
    guard !isKnown else { return }
    throw RecordsError(
      .permissionFailure,
      "The container was opened with the broker “\(configured)”, and the invitation is for another "
        + "address.",
      hint: "Set `broker` of its configuration to nil, and open it again.", reason: "otherBroker")
  }

  /// Whether the configuration names a broker other than the default.
  private var isChosen: Bool { configured != nil && configured != .local }
}
