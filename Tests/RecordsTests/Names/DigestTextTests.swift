import PredicateWorld
import Records
import Testing

@Suite("I19, K1, Z2 digests, keys and secrets as text")
struct DigestTextTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `a digest and a key have the hexadecimal digits of their bytes`(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let bytes = random.bytes(32)
    let digest = try #require(AssetDigest(bytes: bytes))
    #expect(digest.bytes == bytes)
    #expect(digest.description == hexadecimal(bytes))
    #expect(AssetDigest(digest.description) == digest)
    let key = try DeviceKey(text: hexadecimal(bytes))
    #expect(key.bytes == bytes)
    #expect(key.text == hexadecimal(bytes))
    let other = try #require(AssetDigest(bytes: random.bytes(32)))
    #expect((digest < other) == (digest.description < other.description))
    #expect(Asset(digest, sizeBytes: 9).id == digest)
  }

  @Test func `a digest with another character or length is none`() throws {
    let text = Array(hexadecimal(Array(0..<32)))
    for index in text.indices {
      for character in "gA -+" {
        var changed = text
        changed[index] = character
        #expect(AssetDigest(String(changed)) == nil, "\(index), \(character)")
      }
    }
    for count in [0, 31, 33, 64] {
      #expect(AssetDigest(bytes: [UInt8](repeating: 1, count: count)) == nil)
      #expect(AssetDigest(String(repeating: "aa", count: count)) == nil)
    }
  }

  @Test func `a size beyond the range of Int is clamped`() {
    let digest = [UInt8](repeating: 0, count: 32)
    #expect(Asset(digest: digest, sizeBytes: .max).byteCount == .max)
    #expect(Asset(digest: digest, sizeBytes: 5).byteCount == 5)
  }

  @Test func `a key's digits may be upper or lower case, and no blank may divide them`() throws {
    let lower = hexadecimal(Array(200..<232))
    let key = try DeviceKey(text: lower)
    #expect(try DeviceKey(text: lower.uppercased()) == key)
    for blank in [" ", "\t", "\n", "\r\n"] {
      #expect(try DeviceKey(text: blank + lower + blank) == key)
      for index in [1, 32, 63] {
        let divided = lower.prefix(index) + blank + lower.dropFirst(index)
        let error = #expect(throws: RecordsError.self) { try DeviceKey(text: String(divided)) }
        #expect(error?.field == "key")
      }
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `a secret is sixteen bytes, and no description reveals it`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let secret = ShareSecret.random(using: &random.generator)
    #expect(secret.bytes.reduce(UInt128(0)) { $0 * 256 + UInt128($1) } == secret.value)
    #expect(ShareSecret(bytes: secret.bytes) == secret)
    #expect(ShareSecret(bytes: secret.bytes + [0]) == nil)
    #expect(ShareSecret(bytes: secret.bytes.dropLast()) == nil)
    #expect("\(secret)" == "a link's secret")
    let key = DeviceKey.random(using: &random.generator)
    #expect(key.bytes.count == 32)
    #expect("\(key)" == "a device's key")
  }
}
