import DaemonKit
import Testing

@Suite("H1 addresses of this machine")
struct LoopbackAddressTests {
  @Test func `a number is an address of this machine if it begins with 127`() {
    #expect(LoopbackAddress.standard.description == "127.0.0.1")
    #expect(LoopbackAddress(0x7F4D_0C09)?.description == "127.77.12.9")
    #expect(LoopbackAddress(0xC0A8_0001) == nil && LoopbackAddress(0) == nil)
  }

  @Test
  func
    `a drawn address is none that machines give to services, and hardly one that was drawn before`()
  {
    var generator = SystemRandomNumberGenerator()
    let drawn = (0..<1_000).map { _ in LoopbackAddress.random(using: &generator) }
    #expect(drawn.allSatisfy { $0.number >> 24 == 127 && $0.number >> 16 != 0x7F00 })
    #expect(Set(drawn).count > 990)
  }
}
