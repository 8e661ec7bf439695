// A card as it was served, for comparisons. Pictures are large and compared as a whole, so such a card has their digests
// in place of their bytes.

import ContactCards
import Contacts
import Crypto
import Records

/// Composes cards for comparisons. They are written and read again, because a client's card was read too.
package enum ServedCard {
  /// Returns the card of `contact` that a client is served, with digests in place of pictures.
  /// - Parameter isHere: Whether the device has a file. A card lacks the pictures that have not arrived.
  package static func card(
    of contact: Contact, version: CardVersion = .four, isHere: (Asset) -> Bool = { _ in true }
  ) -> Card {
    let card = CardComposer(version: version).card(of: contact) { media in
      let asset = media.file
      return isHere(asset) ? PictureMark.bytes(of: asset) : nil
    }
    return Card(stored: card.stored)
  }

  /// Returns the card that a client of another version was served with the same content.
  package static func card(_ card: Card, version: CardVersion) -> Card {
    guard card.version != version else { return card }
    let draft = ImportedContact(card).draft
    let empty = Contact(id: RecordName(stored: "card"))
    let changes = try? ContactEdit.replacing(empty, with: draft).changes(
      to: Fields(), naming: DerivedEntryID.byContent)
    guard let changes else { return card }
    return Self.card(
      of: ContactRecord.contact(named: empty.id, fields: changes.applied(to: Fields())),
      version: version)
  }
}

/// The bytes that stand for a picture in a card for comparisons.
enum PictureMark {
  // No picture begins so.
  private static let mark = Array("\u{0}picture-digest".utf8)
  private static let digestBytes = 32
  private static let sizeBytes = 8

  static func bytes(of asset: Asset) -> [UInt8] {
    mark + asset.digest
      + (0..<sizeBytes).map { UInt8(truncatingIfNeeded: asset.sizeBytes >> (8 * $0)) }
  }

  /// Returns the picture that the bytes stand for; `nil` if they are a picture.
  static func asset(_ bytes: [UInt8]) -> Asset? {
    guard bytes.count == mark.count + digestBytes + sizeBytes, bytes.starts(with: mark) else {
      return nil
    }
    let size = bytes.suffix(sizeBytes).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    return Asset(
      digest: Array(bytes.dropFirst(mark.count).prefix(digestBytes)), sizeBytes: size)
  }
}

extension ContactMedia {
  /// The content as a file, whether or not it is one.
  package var file: Asset {
    switch self {
    case .asset(let asset): asset
    case .inline(let bytes):
      PictureMark.asset(bytes)
        ?? Asset(digest: Array(SHA256.hash(data: bytes)), sizeBytes: UInt64(bytes.count))
    }
  }
}

extension ContactDraft {
  /// The draft with files in place of the bytes of pictures.
  package var withFiles: ContactDraft {
    var draft = self
    draft.photo = photo.map { ContactPhoto(media: .asset($0.media.file), mediaType: $0.mediaType) }
    draft[.other] = self[.other].map { entry in
      var entry = entry
      entry.content = entry.content.map { .asset($0.file) }
      return entry
    }
    return draft
  }
}

extension Card {
  /// The card as bytes.
  package var stored: [UInt8] {
    var bytes: [UInt8] = []
    CardWriter.write(self, to: &bytes)
    return bytes
  }

  /// Reads the first card of `bytes`.
  package init(stored bytes: [UInt8]) {
    var reader = CardReader()
    self = (reader.feed(bytes) + reader.finish()).first ?? Card(line: 0)
  }
}
