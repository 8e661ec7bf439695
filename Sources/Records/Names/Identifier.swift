// Accounts, devices, zones and incarnations are named by 128 random bits, so that any machine may
// make one without asking another. The tag keeps a device's id from being passed as an account's.

/// A random 128-bit name for one kind of thing.
package struct Identifier<Tag>: Hashable, Comparable, Sendable {
  /// The 128 bits. Zero and one are kept for well-known members of a kind (see `AccountID.current`).
  package let value: UInt128

  /// Names the thing that has exactly these bits.
  package init(_ value: UInt128) {
    self.value = value
  }

  /// Draws a new name from `generator`; never a well-known one.
  package static func random(using generator: inout some RandomNumberGenerator) -> Self {
    while true {
      let bits = UInt128(generator.next()) << 64 | UInt128(generator.next())
      if bits > 1 { return Self(bits) }
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }
}

/// What distinguishes the identifiers of accounts.
package enum AccountTag {}
/// What distinguishes the identifiers of devices.
package enum DeviceTag {}
/// What distinguishes the names of zones.
package enum ZoneTag {}
/// What distinguishes one history of a zone from another.
package enum IncarnationTag {}
/// What distinguishes the identifiers of entries.
package enum EntryTag {}
/// What distinguishes the identifiers of moves.
package enum MoveTag {}

/// A person.
package typealias AccountID = Identifier<AccountTag>
/// One agent of an account.
package typealias DeviceID = Identifier<DeviceTag>
/// The name of a zone among the zones of its owner.
package typealias ZoneName = Identifier<ZoneTag>
/// One unbroken history of a zone; a restored backup begins another.
package typealias Incarnation = Identifier<IncarnationTag>
/// One element of an entries value: a phone, an e-mail, an address.
package typealias EntryID = Identifier<EntryTag>
/// One move of a record from a zone to another. The new record and the tombstone of the old one carry
/// it, and nothing else connects the two.
package typealias MoveID = Identifier<MoveTag>

extension Identifier where Tag == AccountTag {
  /// Whoever is asking. A device that has never met its broker knows itself by this name only,
  /// as CloudKit's `CKCurrentUserDefaultName`.
  package static var current: Self { Self(0) }

  /// Nobody: the owner of the public database, in every container.
  package static var `public`: Self { Self(1) }
}

extension Identifier where Tag == ZoneTag {
  /// The zone that every account has without making it, as CloudKit's default zone.
  package static var standard: Self { Self(0) }
}

extension Identifier: CustomStringConvertible, LosslessStringConvertible {
  /// 32 lower-case hexadecimal digits.
  package var description: String {
    // A list of a thousand contacts names some six thousand ids.
    let halves = [
      UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value),
    ]
    return String(unsafeUninitializedCapacity: 32) { buffer in
      for index in 0..<32 {
        let digit = UInt8(truncatingIfNeeded: halves[index / 16] >> (60 - 4 * (index % 16))) & 15
        buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      return 32
    }
  }

  /// Reads 32 hexadecimal digits; `nil` for anything else.
  package init?(_ description: String) {
    guard description.utf8.count == 32, description.utf8.first != UInt8(ascii: "+"),
      let value = UInt128(description, radix: 16)
    else { return nil }
    self.value = value
  }
}

extension Identifier {
  /// The sixteen bytes, most significant first, as stored and sent.
  package var bytes: [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
  }

  /// Reads sixteen bytes, most significant first; `nil` if there are not sixteen.
  package init?(bytes: some Collection<UInt8>) {
    let read =
      bytes.withContiguousStorageIfAvailable(Self.value)
      ?? Array(bytes).withUnsafeBufferPointer(Self.value)
    guard let read else { return nil }
    value = read
  }

  private static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt128? {
    guard bytes.count == 16 else { return nil }
    var (high, low) = (UInt64(0), UInt64(0))
    for index in 0..<8 {
      high = high << 8 | UInt64(bytes[index])
      low = low << 8 | UInt64(bytes[8 + index])
    }
    return UInt128(high) << 64 | UInt128(low)
  }
}
