// The id by which people and programs name a record. A record's name is unique within its zone only:
// one card that is imported into two groups makes two records of one name. The public id covers the
// zone and its owner too, so it names one record, and it is the same on every device of an account.
// It never changes while the record stays in its zone, whatever other records exist.

import Crypto
import Records

/// The public id of a record: 16 characters of lower-case base32 (RFC 4648, without padding), the
/// first 80 bits of the SHA-256 of the zone's owner, the zone's name and the record's name. A record
/// of the public database, which has one zone, goes by its name.
///
/// The id is a name and no proof: nothing may be allowed because an id matches.
package struct PublicID: Hashable, Sendable, CustomStringConvertible {
  /// The id as text.
  package let text: String

  /// Takes an id that was stored.
  init(stored text: String) {
    self.text = text
  }

  /// The id of `record`. The owner of the account's own zones counts as `own`, because their ids
  /// must not change when a device learns which account it belongs to.
  package init(of record: RecordID) {
    let zone = record.zone
    if zone.isPublic {
      self.init(stored: record.name.text)
    } else {
      self.init(
        stored: Self.text(
          owner: zone.owner == .current ? Array("own".utf8) : zone.owner.bytes,
          zone: zone.name.bytes, name: Array(record.name.text.utf8)))
    }
  }

  package var description: String { text }

  /// The text of an id. The length of each part, in four bytes, comes before the part: two different
  /// triples never give the same bytes.
  private static func text(owner: [UInt8], zone: [UInt8], name: [UInt8]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12 + owner.count + zone.count + name.count)
    for part in [owner, zone, name] {
      let length = UInt32(part.count)
      for shift: UInt32 in [24, 16, 8, 0] {
        bytes.append(UInt8(truncatingIfNeeded: length >> shift))
      }
      bytes += part
    }
    let digest = Array(SHA256.hash(data: bytes).prefix(10))
    return String(unsafeUninitializedCapacity: 16) { characters in
      write(digest[..<5], to: characters[..<8])
      write(digest[5...], to: characters[8...])
      return 16
    }
  }

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// Writes eight characters for five bytes.
  private static func write(
    _ bytes: ArraySlice<UInt8>, to characters: Slice<UnsafeMutableBufferPointer<UInt8>>
  ) {
    var bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    for index in characters.indices.prefix(8).reversed() {
      characters.base[index] = alphabet[Int(bits & 31)]
      bits >>= 5
    }
  }
}

extension RecordID {
  /// The id by which people and programs name the record.
  package var publicID: PublicID { PublicID(of: self) }
}
