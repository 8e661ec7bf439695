// XXH64, a 64-bit checksum with which a store verifies that a disk returned the bytes that were
// written. A flipped bit, a torn page or a row of another file remains undetected with a probability
// of 2^-64. The checksum offers no protection against deliberate forgery.
//
// The algorithm is Yann Collet's XXH64 as specified: four lanes of eight bytes. A record of 345
// bytes takes some tens of nanoseconds.

/// The XXH64 checksum.
package enum Checksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Returns the XXH64 of `bytes` with the given seed.
  package static func of(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    bytes.withUnsafeBytes { of($0, seed: seed) }
  }

  /// Returns the XXH64 of a text's UTF-8.
  package static func of(_ text: String, seed: UInt64 = 0) -> UInt64 {
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0), seed: seed) }
  }

  /// Returns the XXH64 of integers, each as eight bytes, least significant first. They are as many as a record's state
  /// has, because a list of any length would be allocated for each record.
  package static func of(numbers: InlineArray<10, UInt64>, seed: UInt64 = 0) -> UInt64 {
    var numbers = numbers
    for index in numbers.indices { numbers[index] = numbers[index].littleEndian }
    return withUnsafeBytes(of: numbers) { of($0, seed: seed) }
  }

  private static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var offset = 0
    var hash = seed &+ prime5
    if bytes.count >= 32 { hash = lanes(of: bytes, seed: seed, &offset) }
    hash &+= UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      hash = rotated(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      hash = rotated(hash ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash = rotated(hash ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
      offset += 1
    }
    hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }

  /// Hashes all complete blocks of 32 bytes and advances `offset` past them.
  private static func lanes(
    of bytes: UnsafeRawBufferPointer, seed: UInt64, _ offset: inout Int
  ) -> UInt64 {
    var (one, two) = (seed &+ prime1 &+ prime2, seed &+ prime2)
    var (three, four) = (seed, seed &- prime1)
    while offset + 32 <= bytes.count {
      one = round(one, word(bytes, offset))
      two = round(two, word(bytes, offset + 8))
      three = round(three, word(bytes, offset + 16))
      four = round(four, word(bytes, offset + 24))
      offset += 32
    }
    let hash = rotated(one, 1) &+ rotated(two, 7) &+ rotated(three, 12) &+ rotated(four, 18)
    return merged(merged(merged(merged(hash, one), two), three), four)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ (word &* prime2), 31) &* prime1
  }

  private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }

  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }
}
