// FNV-1a in 128 bits. It tells our own things apart (a request sent twice, a conflict found on two
// devices, a bundled entry) and guards against nothing hostile: for that there is SHA-256.

/// A running 128-bit digest of bytes, the same on every machine and in every version.
package struct Fingerprint: Sendable {
  /// The digest of what was added so far.
  package private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  /// Begins with nothing added.
  package init() {}

  /// Adds bytes. Their number is added first, so that “ab”, “c” and “a”, “bc” differ.
  package mutating func add(_ bytes: some Collection<UInt8>) {
    add(UInt64(bytes.count))
    for byte in bytes { mix(byte) }
  }

  /// Adds text.
  package mutating func add(_ text: String) {
    add(text.utf8)
  }

  /// Adds a number.
  package mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      mix(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private mutating func mix(_ byte: UInt8) {
    value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
  }
}
