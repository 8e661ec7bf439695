import Records
import Testing

@Suite("K1 device keys")
struct DeviceKeyTests {
  @Test func `a key is parsed from its text, with or without surrounding whitespace`() throws {
    var generator = SystemRandomNumberGenerator()
    let key = DeviceKey.random(using: &generator)
    #expect(key.bytes.count == DeviceKey.byteCount)
    #expect(key.text.utf8.count == 64)
    #expect(try DeviceKey(text: key.text) == key)
    #expect(try DeviceKey(text: "  \(key.text.uppercased())\n") == key)
    #expect(!"\(key)".contains(key.text.prefix(8)))
  }

  @Test(arguments: [
    "", "ab", String(repeating: "a", count: 63), String(repeating: "a", count: 65),
    String(repeating: "g", count: 64), "aa " + String(repeating: "a", count: 62),
    String(repeating: "a", count: 63) + "é", String(repeating: "１", count: 64),
  ])
  func `an incomplete or malformed key is rejected`(text: String) {
    let error = #expect(throws: RecordsError.self) { _ = try DeviceKey(text: text) }
    #expect(error?.code == .invalidArguments)
  }
}
