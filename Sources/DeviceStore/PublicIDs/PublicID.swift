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
    var hash = SHA256()
    for part in [owner, zone, name] {
      let length = UInt32(part.count)
      hash.update(
        data: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) } + part)
    }
    let digest = Array(hash.finalize().prefix(10))
    return base32(digest.prefix(5)) + base32(digest.suffix(5))
  }

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

  /// Eight characters for five bytes.
  private static func base32(_ bytes: ArraySlice<UInt8>) -> String {
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return String(
      stride(from: 35, through: 0, by: -5).map { alphabet[Int(bits >> UInt64($0)) & 31] })
  }
}

extension RecordID {
  /// The id by which people and programs name the record.
  package var publicID: PublicID { PublicID(of: self) }
}
