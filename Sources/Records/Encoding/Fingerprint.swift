// A 128-bit digest that tells our own things apart (a request sent twice, a conflict found on two
// devices, a bundled entry) and guards against nothing hostile: for that there is SHA-256. It is
// FNV-1a's step on words of eight bytes instead of single ones, because every save makes one, with
// the high half folded in so that a word's highest bits reach the lowest of the digest.

/// A running 128-bit digest of bytes, the same on every machine and in every version.
package struct Fingerprint: Sendable {
  /// The digest of what was added so far.
  package private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  /// Begins with nothing added.
  package init() {}

  /// Adds bytes. Their number is added first, so that “ab”, “c” and “a”, “bc” differ.
  package mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { add(buffer: $0) }
  }

  /// Adds text.
  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(buffer: UnsafeRawBufferPointer($0)) }
  }

  /// Adds a number.
  package mutating func add(_ number: UInt64) {
    mix(number)
  }

  /// Adds the bits of an id.
  package mutating func add<Tag>(_ id: Identifier<Tag>) {
    mix(UInt64(truncatingIfNeeded: id.value >> 64))
    mix(UInt64(truncatingIfNeeded: id.value))
  }

  private mutating func add(buffer: UnsafeRawBufferPointer) {
    mix(UInt64(buffer.count))
    let whole = buffer.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      mix(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    guard whole < buffer.count else { return }
    var rest: UInt64 = 0
    for offset in whole..<buffer.count { rest |= UInt64(buffer[offset]) << (8 * (offset - whole)) }
    mix(rest)
  }

  private mutating func mix(_ word: UInt64) {
    value = (value ^ UInt128(word)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    value ^= value >> 64
  }
}
