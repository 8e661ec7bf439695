import Records
import Testing

@Suite("I5 fingerprints")
struct FingerprintTests {
  /// The digest as the file header describes it: FNV-1a's prime of 128 bits, applied to words of eight
  /// bytes, with the high half folded in after each.
  private func digest(_ words: [UInt64]) -> UInt128 {
    var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for word in words {
      value ^= UInt128(word)
      // 2^88 + 0x13b, FNV's prime, as a shift and a product.
      value = (value << 88) &+ (value &* 0x13b)
      value ^= value >> 64
    }
    return value
  }

  private func words(_ bytes: [UInt8]) -> [UInt64] {
    var words = [UInt64(bytes.count)]
    for (index, byte) in bytes.enumerated() {
      if index.isMultiple(of: 8) { words.append(0) }
      words[words.count - 1] += UInt64(byte) << UInt64(8 * (index % 8))
    }
    return words
  }

  @Test(arguments: 0..<40)
  func `bytes and texts of any length have the digest that is described`(count: Int) {
    var random = RandomValues(seed: UInt64(count))
    let bytes = random.bytes(count)
    let text = random.text(upTo: count)
    var fingerprint = Fingerprint()
    fingerprint.add(bytes)
    #expect(fingerprint.value == digest(words(bytes)))
    fingerprint.add(text)
    fingerprint.add(UInt64(7))
    fingerprint.add(DeviceID(0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10))
    #expect(
      fingerprint.value
        == digest(
          words(bytes) + words(Array(text.utf8))
            + [7, 0x0102_0304_0506_0708, 0x090A_0B0C_0D0E_0F10]))
  }

  @Test func `every flipped bit changes the digest`() {
    var random = RandomValues(seed: 1)
    var bytes = random.bytes(21)
    var seen: Set<UInt128> = [digest(words(bytes))]
    for bit in 0..<8 * bytes.count {
      bytes[bit / 8] ^= 1 << (bit % 8)
      var fingerprint = Fingerprint()
      fingerprint.add(bytes)
      seen.insert(fingerprint.value)
      bytes[bit / 8] ^= 1 << (bit % 8)
    }
    #expect(seen.count == 1 + 8 * bytes.count)
  }
}
