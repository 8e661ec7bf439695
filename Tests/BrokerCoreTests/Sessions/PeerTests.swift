import BrokerCore
import Records
import Testing

@Suite("R6 peers")
struct PeerTests {
  @Test func `only a local user has a uid`() {
    #expect(Peer.localUser(1000).uid == 1000)
    #expect(Peer.remote(RemoteNetwork(ipv4: [192, 0, 2, 7])).uid == nil)
    #expect(BrokerPolicy(maySpeakFor: [7], accountsAreOpen: true).maySpeakForOthers(.localUser(7)))
  }
}
