import BrokerLinks
import DeviceStore
import Glibc
import Records

/// The choice between the broker of the settings and the one that the device joined by an invitation.
package struct BrokerChoice: Sendable {
  /// The broker of the settings; empty if they name none.
  private let configured: [BrokerEndpoint]
  /// Whether the settings take precedence over an invitation: whether they name a broker other than the default.
  private let isChosen: Bool
  private let reader: DeviceReader

  package init(configured: [BrokerEndpoint], isChosen: Bool, reader: DeviceReader) {
    self.configured = configured
    self.isChosen = isChosen
    self.reader = reader
  }

  /// The endpoints, empty for a device without a broker, and the key.
  package var addressing: BrokerAddressing {
    let joined: JoinedBroker?
    do {
      // Read each time, because joining, signing out and a removal change it.
      joined = try reader.joinedBroker()
    } catch {
      // NB: the next attempt reads again. Another broker must not get the hello.
      return BrokerAddressing(endpoints: [], keyDigest: nil)
    }
    let destinations = (joined?.addresses ?? []).compactMap { try? TLSDestination(address: $0) }
    let endpoints =
      isChosen || destinations.isEmpty
      ? configured : destinations.map { BrokerEndpoint.tls($0) }
    return BrokerAddressing(endpoints: endpoints, keyDigest: joined?.keyDigest)
  }

  /// Checks that an account's name is enough to sign in. It is not for a device that had joined its account with an
  /// invitation, unless the settings name a broker that lets users of this machine in.
  /// - Throws: `notAuthenticated`, reason `invitationNeeded`.
  package func checkSignInByName() throws {
    guard try reader.needsInvitation(), !configured.contains(where: Self.isOfUsers) else { return }
    throw RecordsError(
      .notAuthenticated,
      "This device needs an invitation to sign in: its broker is on another machine, and none runs here.",
      hint: try reader.signOutReason()?.hint ?? "", reason: "invitationNeeded")
  }

  private static func isOfUsers(_ endpoint: BrokerEndpoint) -> Bool {
    switch endpoint {
    case .unixSocket(let path): access(path, F_OK) == 0
    case .ssh: true
    case .tls: false
    }
  }

  /// Whether the device may join a broker at these addresses: whether the settings do not name another one.
  package func admits(_ addresses: [TLSDestination]) -> Bool {
    guard isChosen else { return true }
    return configured.contains { endpoint in
      if case .tls(let destination) = endpoint { addresses.contains(destination) } else { false }
    }
  }
}
