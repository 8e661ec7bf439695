// Accounts, devices, zones and incarnations have random 128-bit ids, so any machine can create one
// without coordination. The type parameter keeps a device's id from being passed as an account's.

/// A random 128-bit id for one kind of object.
package struct Identifier<Tag>: Hashable, Comparable, Sendable {
  /// The 128 bits. Zero and one are reserved for well-known values (see `AccountID.current`).
  package let value: UInt128

  /// Creates an id with exactly these bits.
  package init(_ value: UInt128) {
    self.value = value
  }

  /// Draws a random id from `generator`; never a reserved one.
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

/// The tag type of account ids.
package enum AccountTag {}
/// The tag type of device ids.
package enum DeviceTag {}
/// The tag type of zone names.
package enum ZoneTag {}
/// The tag type of incarnations.
package enum IncarnationTag {}
/// The tag type of entry ids.
package enum EntryTag {}
/// The tag type of move ids.
package enum MoveTag {}
/// The tag type of the ids of device invitations.
package enum InvitationTag {}

/// The id of an account.
package typealias AccountID = Identifier<AccountTag>
/// The id of a device.
package typealias DeviceID = Identifier<DeviceTag>
/// The name of a zone, unique among its owner's zones.
package typealias ZoneName = Identifier<ZoneTag>
/// The id of one uninterrupted history of a zone. Restoring a backup starts another.
package typealias Incarnation = Identifier<IncarnationTag>
/// The id of one entry of a list field, such as a phone number or an address.
package typealias EntryID = Identifier<EntryTag>
/// The id of one move of a record between zones. The new record and the old one's tombstone carry
/// it; nothing else connects the two.
package typealias MoveID = Identifier<MoveTag>
/// The id of an invitation for a device, derived from its code.
package typealias InvitationID = Identifier<InvitationTag>

extension Identifier where Tag == AccountTag {
  /// The requesting account, like CloudKit's `CKCurrentUserDefaultName`. Before its first
  /// connection a device has no other id for its account.
  package static var current: Self { Self(0) }

  /// The reserved owner of the public database in every container; no account has this id.
  package static var `public`: Self { Self(1) }
}

extension Identifier where Tag == ZoneTag {
  /// The zone that every account has without creating it, like CloudKit's default zone.
  package static var standard: Self { Self(0) }
}

extension Identifier: CustomStringConvertible, LosslessStringConvertible {
  /// The id as 32 lower-case hexadecimal digits.
  package var description: String {
    // Written digit by digit for speed: a list of a thousand contacts contains about six thousand
    // ids.
    String(unsafeUninitializedCapacity: 32) { buffer in
      withUnsafeBytes(of: value.bigEndian) { bytes in
        for index in 0..<16 {
          buffer[2 * index] = Self.digit(bytes[index] >> 4)
          buffer[2 * index + 1] = Self.digit(bytes[index] & 15)
        }
      }
      return 32
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Parses 32 hexadecimal digits; returns `nil` for any other text.
  package init?(_ description: String) {
    // NB: the library's parser also accepts a sign, and “-0” as zero.
    guard description.utf8.count == 32, let first = description.utf8.first,
      first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let value = UInt128(description, radix: 16)
    else { return nil }
    self.value = value
  }
}

extension Identifier {
  /// The id as stored and sent: sixteen bytes, most significant first.
  package var bytes: [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
  }

  /// Creates an id from sixteen bytes, most significant first; returns `nil` for any other count.
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
