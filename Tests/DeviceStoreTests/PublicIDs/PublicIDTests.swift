import Records
import Testing

@testable import DeviceStore

@Suite("Public ids")
struct PublicIDTests {
  private static let own = ZoneID(name: ZoneName(9))
  private static let bobs = ZoneID(owner: AccountID(0xB0B), name: ZoneName(9))

  private func id(_ name: String, in zone: ZoneID) -> String {
    RecordID(zone: zone, name: RecordName(stored: name)).publicID.text
  }

  /// The values come from another implementation (Python's hashlib and base64).
  @Test func `an id is the first 80 bits of the SHA-256 of owner, zone and name in base32`() {
    #expect(id("anna", in: Self.own) == "gugvzyeyqrortbdt")
    #expect(id("anna", in: Self.bobs) == "ffabdbutyvyk7py5")
    #expect(id("Élodie", in: Self.own) == "hhrhk54bo5bvz3hp")
  }

  @Test func `namesakes in other zones, and in zones of other owners, have other ids`() {
    let zones = [
      Self.own, Self.bobs, ZoneID(name: ZoneName(10)), .standard,
      ZoneID(owner: AccountID(0xB0C), name: ZoneName(9)),
    ]
    #expect(Set(zones.map { id("anna", in: $0) }).count == zones.count)
  }

  @Test func `a record of the public database goes by its name`() {
    #expect(id("post-1", in: .public) == "post-1")
  }
}
