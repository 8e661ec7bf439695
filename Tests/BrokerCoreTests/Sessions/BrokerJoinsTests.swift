// Joining by an invitation, as the state machine sees it.

import BrokerCore
import Records
import Testing

@Suite("R3 joins")
struct BrokerJoinsTests {
  private let one = ConnectionID(1)
  private let peer = Peer.remote(RemoteNetwork(ipv4: [192, 0, 2, 7]))
  private let request = JoinRequest(
    invitation: InvitationID(9), deviceKeyDigest: [], proof: [], isFinal: true)

  private func broker(access: RemoteAccess? = RemoteAccess(keyDigest: [5], addresses: ["b:1"]))
    -> Broker
  {
    Broker(
      BrokerConfiguration(
        policy: BrokerPolicy(maySpeakFor: [], accountsAreOpen: false, administrators: [0]),
        remoteAccess: access, encode: { _ in [] }, digest: { $0 }))
  }

  private func join(_ broker: inout Broker, as peer: Peer, _ id: ConnectionID) -> [BrokerAction] {
    _ = broker.handle(.opened(id, peer))
    return broker.handle(.received(id, number: 1, .join(request), byteCount: 100))
  }

  private func goodbye(_ actions: [BrokerAction]) -> RecordsError? {
    for case .send(_, _, .goodbye(let error)) in actions { return error }
    return nil
  }

  @Test func `a join goes to the store with the broker's key, and its answer to the peer`() {
    var broker = broker()
    let actions = join(&broker, as: peer, one)
    guard case .store(.join(request, brokerKeyDigest: [5], one, replyTo: 1))? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    let joined = Joined(accountName: "ada", proof: [1])
    let answers = broker.handle(.stored([.joined(.success(joined), one, replyTo: 1)]))
    guard case .send(one, replyTo: 1, .joined(joined))? = answers.first else {
      Issue.record("\(answers)")
      return
    }
  }

  @Test func `local users cannot join, and nobody can where the broker does not listen`() {
    var open = broker()
    #expect(goodbye(join(&open, as: .localUser(0), one))?.code == .invalidArguments)
    var closed = broker(access: nil)
    #expect(goodbye(join(&closed, as: peer, one))?.code == .invalidArguments)
  }

  /// Joins, and lets the store answer with this error.
  private func refusal(
    _ reason: String, in broker: inout Broker, as peer: Peer, _ number: Int
  ) -> String? {
    let id = ConnectionID(number)
    #expect(goodbye(join(&broker, as: peer, id)) == nil, "every invitation is looked up")
    let error = RecordsError(.unknownItem, "Unknown.", reason: reason)
    return goodbye(broker.handle(.stored([.joined(.failure(error), id, replyTo: 1)])))?.reason
  }

  @Test func `a network may try five unknown invitations, and one more every twelve seconds`() {
    var broker = broker()
    let (unknown, expired) = ("unknownInvitation", "expiredInvitation")
    _ = broker.handle(.ticked(seconds: 100))
    for number in 1...5 {
      #expect(refusal(unknown, in: &broker, as: peer, number) == unknown)
    }
    #expect(refusal(unknown, in: &broker, as: peer, 6) == "guessing")
    #expect(refusal(expired, in: &broker, as: peer, 7) == expired)
    let other = Peer.remote(RemoteNetwork(ipv4: [192, 0, 2, 8]))
    #expect(refusal(unknown, in: &broker, as: other, 8) == unknown)
    _ = broker.handle(.ticked(seconds: 112))
    #expect(refusal(unknown, in: &broker, as: peer, 9) == unknown)
  }

  @Test func `a device joins though its network has tried too many unknown invitations`() {
    var broker = broker()
    for number in 1...9 {
      _ = refusal("unknownInvitation", in: &broker, as: peer, number)
    }
    #expect(goodbye(join(&broker, as: peer, ConnectionID(10))) == nil)
    let joined = Joined(accountName: "ada", proof: [1])
    let answers = broker.handle(.stored([.joined(.success(joined), ConnectionID(10), replyTo: 1)]))
    #expect(goodbye(answers) == nil && answers.count > 0)
  }

  @Test func `a remote client cannot administer the broker`() {
    var broker = broker()
    _ = broker.handle(.opened(one, peer))
    let actions = broker.handle(
      .received(one, number: 1, .administer(.confirmClock), byteCount: 10))
    #expect(goodbye(actions)?.code == .permissionFailure)
  }

  @Test func `silent connections of a network end, the oldest first`() {
    var broker = broker()
    for number in 0..<64 { #expect(broker.handle(.opened(ConnectionID(number), peer)).isEmpty) }
    let actions = broker.handle(.opened(ConnectionID(64), peer))
    #expect(goodbye(actions)?.reason == "tooManyStrangers")
    #expect(broker.status.connections == 64)
  }
}
