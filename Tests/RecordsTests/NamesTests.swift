import Records
import Testing

@Suite("B1 names and ids")
struct NamesTests {
  @Test(arguments: ["a", "é", "a_b", "contact/1", String(repeating: "x", count: 255)])
  func `a record name of 1 to 255 bytes is accepted`(text: String) throws {
    #expect(try RecordName(text).text == text)
  }

  @Test(arguments: [
    "", "_a", String(repeating: "x", count: 256), String(repeating: "é", count: 128), "a\0",
    "a\0b", "\n", "tab\there", "\u{7F}", "next\u{85}line",
  ])
  func `an invalid record name is rejected`(text: String) throws {
    let error = try #require(throws: RecordsError.self) { try RecordName(text) }
    #expect(error.code == .invalidArguments)
  }

  @Test func `a received name has no control characters either`() throws {
    #expect(throws: RecordsError.self) { try RecordName(received: "V\0") }
    #expect(try RecordName(received: "V à 7").text == "V à 7")
    #expect(throws: RecordsError.self) { try RecordName(received: "") }
    #expect(throws: RecordsError.self) { try SubscriptionID("a\0") }
    #expect("\u{C2}\u{A0}é~ ".hasControlCharacters == false)
  }

  @Test func `record names are compared by bytes`() throws {
    let composed = try RecordName("\u{E9}")
    let decomposed = try RecordName("e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
  }

  @Test func `generated names rise with time and differ at the same time`() {
    var generator = SystemRandomNumberGenerator()
    let early = RecordName.generated(at: Timestamp(microseconds: 1_000_000), using: &generator)
    let late = RecordName.generated(at: Timestamp(microseconds: 2_000_000), using: &generator)
    let again = RecordName.generated(at: Timestamp(microseconds: 2_000_000), using: &generator)
    #expect(early < late)
    #expect(late != again)
    let parts = late.text.split(separator: "-")
    #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
    #expect(parts[2].first == "7")
    #expect("89ab".contains(parts[3].first ?? " "))
  }

  @Test(arguments: ["a", "Z", "a1_", "firstName"])
  func `a key of letters, digits and underscores is accepted`(text: String) throws {
    #expect(try FieldKey(text).text == text)
    #expect(try RecordType(text).text == text)
  }

  @Test(arguments: [
    "", "1a", "_a", "å", "a-b", "a b", "@", "[", String(repeating: "a", count: 256),
  ])
  func `an invalid key is rejected`(text: String) {
    #expect(throws: RecordsError.self) { try FieldKey(text) }
    #expect(throws: RecordsError.self) { try RecordType(text) }
  }

  @Test(arguments: [UInt128(0), 1, 255, 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10, .max])
  func `an id is decoded from its bytes and from its text`(value: UInt128) {
    let id = DeviceID(value)
    #expect(DeviceID(bytes: id.bytes) == id)
    #expect(id.bytes.count == 16)
    #expect(DeviceID(id.description) == id)
  }

  @Test func `an id's bytes are most significant first`() {
    #expect(EntryID(0x01).bytes == Array(repeating: 0, count: 15) + [1])
    #expect(EntryID(bytes: [1, 2, 3]) == nil)
    #expect(EntryID("+0000000000000000000000000000001") == nil)
    #expect(EntryID("0x") == nil)
  }

  @Test func `resolved and relative zone ids are inverse`() {
    let me = AccountID(5)
    let zone = ZoneID(name: ZoneName(9))
    #expect(zone.resolved(for: me) == ZoneID(owner: me, name: ZoneName(9)))
    #expect(zone.resolved(for: me).relative(to: me) == zone)
    #expect(zone.resolved(for: me).relative(to: AccountID(6)).owner == me)
  }
}
