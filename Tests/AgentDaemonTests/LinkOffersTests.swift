import DeviceStore
import Records
import Testing

@testable import AgentDaemon

@Suite("Z2 links on their way to the broker")
struct LinkOffersTests {
  private func kept(_ byte: UInt8) -> LinkSecret {
    var generator = SystemRandomNumberGenerator()
    return LinkSecret(secret: .random(using: &generator), digest: Array(repeating: byte, count: 32))
  }

  @Test func `an answer to what was asked before the broker had a link ends no link`() {
    let offers = LinkOffers()
    let (former, fresh) = (kept(1), kept(2))
    let all: Set = [former.digest, fresh.digest]
    offers.begin(fresh)
    #expect(offers.settled(all) == [former.digest])
    // The same link may be offered twice at a time.
    offers.begin(fresh)
    offers.end(fresh)
    #expect(offers.settled(all) == [former.digest])
    offers.end(fresh)
    #expect(offers.settled(all) == all)
  }
}
