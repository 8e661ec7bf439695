// The conversation with a broker by which this device joins an account (docs/decisions/0034). The
// device's key is not sent before the broker has proved that it knows the invitation.

import NIOCore
import Pairing
import Records
import RecordsWire
import Synchronization

/// Asks a broker about an invitation, and uses it.
package struct InvitationExchange: Sendable {
  private let code: InvitationCode
  /// Where the broker is, in the order in which to try.
  package let destinations: [TLSDestination]
  /// The key that the broker admits.
  package let deviceKeyDigest: [UInt8]
  private let loop: any EventLoop

  /// The broker's answer to a join.
  package struct Answer: Sendable {
    /// The name of the account to which the invitation belongs.
    package let accountName: String
    /// The address at which it answered.
    package let destination: TLSDestination
    /// The SHA-256 of the broker's public key, which it has proved to know the invitation with.
    package let brokerKeyDigest: [UInt8]
  }

  /// Reads an invitation.
  /// - Parameters:
  ///   - text: the link, or the code alone.
  ///   - address: where the broker is, `HOST:PORT` or several with commas, instead of what the link says.
  ///   - deviceKeyDigest: the SHA-256 of this device's key.
  ///   - loop: runs the connections and must outlive them.
  /// - Throws: `invalidArguments` or `limitExceeded` with what is wrong.
  package init(
    _ text: String, address: String?, deviceKeyDigest: [UInt8], loop: any EventLoop
  ) throws(RecordsError) {
    let invitation = try DeviceInvitation(text: text)
    let addresses =
      address.map { $0.split(separator: ",").map(String.init) } ?? invitation.addresses
    guard !addresses.isEmpty else {
      throw RecordsError(
        .invalidArguments, "The code alone does not say where the broker is.",
        hint: "Add its address, HOST:PORT.", field: "address",
        reason: "missingAddress")
    }
    guard addresses.count <= BrokerEndpoint.endpointsMaximum else {
      throw RecordsError.limit(
        "Addresses of a broker", limit: BrokerEndpoint.endpointsMaximum, actual: addresses.count)
    }
    var destinations: [TLSDestination] = []
    for address in addresses {
      let host = address.hasPrefix("tls://") ? String(address.dropFirst("tls://".count)) : address
      destinations.append(try TLSDestination(address: host))
    }
    self.code = invitation.code
    self.destinations = destinations
    self.deviceKeyDigest = deviceKeyDigest
    self.loop = loop
  }

  /// Asks whose invitation it is, at the first of the addresses that answers. Nothing changes.
  package func examine() async throws(RecordsError) -> Answer {
    do throws(Failures) {
      return try await firstAnswer().get()
    } catch {
      let refusal = error.failures.first { !$0.isOfConnection } ?? error.failures.last
      throw refusal?.error ?? .invalid("The invitation has no address.", field: "address")
    }
  }

  /// Uses the invitation at the first of the addresses that answers.
  package func join() async throws(RecordsError) -> Answer {
    try await join(at: try await examine().destination)
  }

  /// Uses the invitation at the address that an examination found: the broker admits this device's key.
  package func join(at destination: TLSDestination) async throws(RecordsError) -> Answer {
    do throws(Failure) {
      return try await ask(destination, isFinal: true)
    } catch {
      throw error.error
    }
  }

  private struct Failures: Error {
    var failures: [Failure] = []
  }

  private enum Step {
    case ended(index: Int, Result<Answer, Failure>)
    /// The address has had its time, and the next one may be tried as well.
    case due(index: Int)
  }

  /// Asks at each address if the one before failed or has not answered for a while, as `EndpointAttempts` does.
  private func firstAnswer() async -> Result<Answer, Failures> {
    await withTaskGroup(of: Step.self) { group in
      defer { group.cancelAll() }
      var (begun, failed) = (0, Failures())
      begin(&begun, in: &group)
      while failed.failures.count < destinations.count, let step = await group.next() {
        switch step {
        case .ended(_, .success(let answer)): return .success(answer)
        case .ended(let index, .failure(let failure)):
          // Also after a refusal: on another network, another broker may have this address.
          failed.failures.append(failure)
          if begun == index + 1 { begin(&begun, in: &group) }
        case .due(let index):
          if begun == index + 1 { begin(&begun, in: &group) }
        }
      }
      return .failure(failed)
    }
  }

  /// Begins to ask at the next address, if one is left.
  private func begin(_ begun: inout Int, in group: inout TaskGroup<Step>) {
    guard begun < destinations.count else { return }
    let index = begun
    begun += 1
    group.addTask {
      do throws(Failure) {
        return .ended(index: index, .success(try await ask(destinations[index], isFinal: false)))
      } catch {
        return .ended(index: index, .failure(error))
      }
    }
    group.addTask {
      try? await Task.sleep(for: .nanoseconds(EndpointAttempts.delay.nanoseconds))
      return .due(index: index)
    }
  }

  private struct Failure: Error {
    let error: RecordsError
    /// Whether no broker was reached, so that another address may serve.
    let isOfConnection: Bool
  }

  private func ask(
    _ destination: TLSDestination, isFinal: Bool
  ) async throws(Failure) -> Answer {
    let (answers, continuation) = AsyncStream.makeStream(
      of: Result<Answer, Failure>.self, bufferingPolicy: .bufferingOldest(1))
    let seen = Seen()
    let connector = TLSConnector(
      destination, trust: .any { digest in seen.brokerKey.withLock { $0 = digest } }, group: loop)
    connector.connect { event in
      switch event {
      case .opened(let link):
        guard seen.begin(link) else { return link.close() }
        link.send(1, .join(request(isFinal: isFinal, brokerKeyDigest: seen.brokerKeyDigest)))
      case .received(let frame):
        continuation.yield(answer(frame.message, from: destination, seen.brokerKeyDigest))
      case .closed(let reason):
        let error = reason ?? RecordsError(.networkUnavailable, "The broker did not answer.")
        continuation.yield(.failure(Failure(error: error, isOfConnection: true)))
      case .receiving, .writable: break
      }
    }
    let deadline = loop.scheduleTask(in: .seconds(20)) { seen.end() }
    defer {
      deadline.cancel()
      seen.end()
    }
    for await answer in answers { return try answer.get() }
    throw Failure(
      error: RecordsError(.operationCancelled, "The request was cancelled."), isOfConnection: false)
  }

  private func request(isFinal: Bool, brokerKeyDigest: [UInt8]) -> JoinRequest {
    let key = InvitationKey(of: code)
    return JoinRequest(
      invitation: key.id, deviceKeyDigest: deviceKeyDigest,
      proof: key.proof(
        of: .device, brokerKeyDigest: brokerKeyDigest, deviceKeyDigest: deviceKeyDigest),
      isFinal: isFinal)
  }

  private func answer(
    _ message: BrokerMessage, from destination: TLSDestination, _ brokerKeyDigest: [UInt8]
  ) -> Result<Answer, Failure> {
    switch message {
    case .joined(let joined):
      guard
        InvitationKey(of: code).isProof(
          joined.proof, of: .broker, brokerKeyDigest: brokerKeyDigest,
          deviceKeyDigest: deviceKeyDigest)
      else {
        return .failure(
          Failure(
            error: RecordsError(
              .permissionFailure,
              "The broker at \(destination) does not know the invitation, and claims that it does.",
              hint:
                "Another machine may be between this device and the broker. Use another network.",
              reason: "wrongProof"), isOfConnection: false))
      }
      return .success(
        Answer(
          accountName: joined.accountName, destination: destination,
          brokerKeyDigest: brokerKeyDigest))
    case .goodbye(let error), .error(let error):
      return .failure(Failure(error: refusal(error, by: destination), isOfConnection: false))
    default:
      return .failure(
        Failure(
          error: RecordsError(
            .incompatibleVersion, "This program cannot read the answer of the broker.",
            hint: "Install the same version as that of the broker."),
          isOfConnection: false))
    }
  }

  /// A refusal in our own words. A machine that has proved nothing must not speak to the user.
  private func refusal(_ error: RecordsError, by destination: TLSDestination) -> RecordsError {
    let (sentence, hint): (String, String) =
      switch error.reason {
      case "unknownInvitation":
        (
          "The broker does not know this invitation.",
          "It may be for another broker, or it expired more than a day ago."
        )
      case "expiredInvitation": ("The invitation has expired.", "Create a new one.")
      case "usedInvitation":
        (
          "The invitation has been used by another device.",
          "Create a new one, and check the list of devices."
        )
      case "wrongProof":
        (
          "The proof of the invitation is wrong.",
          "Another machine may be between this device and the broker. Use another network."
        )
      case "guessing":
        ("Too many invitations were tried.", "Wait a minute, and check the invitation.")
      case "disabled": ("The account is disabled.", "Ask the administrator.")
      case "otherAccount":
        (
          "This device's key belongs to another account of the broker.",
          "Sign out, which makes a new key. Then join again."
        )
      default:
        ("The broker at \(destination) refuses (\(error.code.rawValue)).", "Try again later.")
      }
    return RecordsError(
      error.code, sentence, hint: hint, retryAfterSeconds: error.retryAfterSeconds,
      // A device that names another account at its sign-in gets the same reason.
      reason: error.reason == "otherAccount" ? "keyOfOtherAccount" : error.reason)
  }

  /// The state of one connection, which its callbacks set.
  private final class Seen: Sendable {
    let brokerKey = Mutex<[UInt8]>([])
    private let connection = Mutex((link: (any BrokerLink)?.none, isOver: false))

    /// The connection is open. Returns whether it is still wanted.
    func begin(_ link: any BrokerLink) -> Bool {
      connection.withLock {
        $0.link = link
        return !$0.isOver
      }
    }

    /// Closes the connection, also if it opens later.
    func end() {
      let link = connection.withLock {
        $0.isOver = true
        return $0.link
      }
      link?.close()
    }

    var brokerKeyDigest: [UInt8] { brokerKey.withLock { $0 } }
  }
}
