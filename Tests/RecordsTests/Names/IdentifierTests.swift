import PredicateWorld
import Records
import Testing

@Suite("B1 laws of ids")
struct IdentifierTests {
  @Test(arguments: 0..<100 as Range<UInt64>)
  func `an id has one text and one array of bytes, both in the order of the ids`(seed: UInt64)
    throws
  {
    var random = RandomValues(seed: seed)
    let (left, right) = (
      DeviceID.random(using: &random.generator), DeviceID.random(using: &random.generator)
    )
    let digits = String(left.value, radix: 16)
    #expect(left.description == String(repeating: "0", count: 32 - digits.count) + digits)
    #expect(DeviceID(left.description) == left)
    #expect(DeviceID(left.description.uppercased()) == left)
    #expect(DeviceID(bytes: left.bytes) == left)
    #expect(DeviceID(bytes: ([0] + left.bytes)[1...]) == left)
    #expect(DeviceID(bytes: left.bytes.lazy.map { $0 }) == left)
    #expect(left.bytes.reduce(UInt128(0)) { $0 * 256 + UInt128($1) } == left.value)
    #expect((left < right) == left.bytes.lexicographicallyPrecedes(right.bytes))
    #expect((left < right) == (left.description < right.description))
  }

  @Test func `a text with another character or another length is no id`() {
    let text = Array("00112233445566778899aabbccddeeff")
    for index in text.indices {
      for character in "g+- ./:@`é" {
        var changed = text
        changed[index] = character
        #expect(DeviceID(String(changed)) == nil, "\(String(changed))")
      }
    }
    for count in [0, 1, 31, 33, 64] {
      #expect(DeviceID(String(repeating: "a", count: count)) == nil)
      #expect(DeviceID(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
  }

  @Test(arguments: ["-", "+"])
  func `a signed zero is no id of the current account`(sign: String) {
    #expect(AccountID(sign + String(repeating: "0", count: 31)) == nil)
  }

  @Test func `a reserved id is never drawn`() {
    struct Reserved: RandomNumberGenerator {
      var numbers: [UInt64]
      mutating func next() -> UInt64 { numbers.removeFirst() }
    }
    var generator = Reserved(numbers: [0, 0, 0, 1, 0, 2])
    #expect(AccountID.random(using: &generator) == AccountID(2))
    generator = Reserved(numbers: [1, 0])
    #expect(AccountID.random(using: &generator) == AccountID(1 << 64))
    #expect(AccountID.current == AccountID(0))
    #expect(AccountID.public == AccountID(1))
  }

  @Test func `zones are ordered by owner, then by name, and shown without the current owner`() {
    let zones = (0..<3).flatMap { owner in
      (0..<3).map { ZoneID(owner: AccountID(UInt128(owner)), name: ZoneName(UInt128($0))) }
    }
    for (left, one) in zones.enumerated() {
      for (right, other) in zones.enumerated() {
        #expect((one < other) == (left < right))
        #expect((one == other) == (left == right))
      }
    }
    #expect(zones[2].description == ZoneName(2).description)
    #expect(zones[5].description == "\(AccountID(1))/\(ZoneName(2))")
    let id = RecordID(zone: zones[2], name: RecordName(stored: "a"))
    #expect(id.description == "\(ZoneName(2))/a")
    #expect(id != RecordID(zone: zones[5], name: id.name))
    #expect(id.hashValue == RecordID(zone: zones[5], name: id.name).hashValue)
  }

  @Test func `a zone is in the database of its owner`() {
    let (mine, theirs) = (AccountID(7), AccountID(8))
    #expect(ZoneID(owner: mine, name: .standard).database(for: mine) == .private)
    #expect(ZoneID(owner: theirs, name: .standard).database(for: mine) == .shared)
    #expect(ZoneID.public.database(for: mine) == .public)
    #expect(ZoneID.public.isPublic && !ZoneID.standard.isPublic)
    #expect(ZoneID.public.resolved(for: mine) == .public)
    #expect(ZoneID.public.relative(to: mine) == .public)
  }
}
