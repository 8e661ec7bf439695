// A 128-bit digest that distinguishes the project's own data: a repeated request, a conflict found
// on two devices, a bundled entry. It does not resist deliberate collisions; use SHA-256 for that.
// It applies FNV-1a's step to eight-byte words instead of bytes for speed, because every save
// computes one. The high half is folded in after each step, so that the highest bits of a word
// reach the lowest bits of the digest.

/// A running 128-bit digest, the same on every machine and in every version.
package struct Fingerprint: Sendable {
  /// The digest of everything added so far.
  package private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  /// Creates the digest of no input.
  package init() {}

  /// Adds bytes, preceded by their count, so that “ab”, “c” and “a”, “bc” differ.
  package mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { add(buffer: $0) }
  }

  /// Adds the UTF-8 of a text, preceded by its length.
  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(buffer: UnsafeRawBufferPointer($0)) }
  }

  /// Adds an integer.
  package mutating func add(_ number: UInt64) {
    mix(number)
  }

  /// Adds the 128 bits of an id.
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
