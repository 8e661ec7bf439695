// The card that a client sends.

import CardDAV
import CardDAVStore
import ContactCards
import Contacts
import Records

/// A card that a client sends.
struct SentCard: Sendable {
  /// The bytes, which the client gets back if they say all that is stored.
  let bytes: [UInt8]
  /// The card, with digests in place of pictures.
  let card: Card
  /// The contact that it describes.
  let contact: ImportedContact
  /// Whether every program can read the bytes as they are. Others get a card that is composed of the contact.
  let isForAll: Bool

  /// The maximum number of line ends. A picture of the largest size in lines of 64 characters has 390,000.
  static let linesMaximum = 500_000

  /// Reads the body of a PUT.
  ///
  /// A card of the largest size takes seconds, so this must not run on an event loop.
  /// - Throws: 403 with `valid-address-data` if it is not exactly one card, or has too many lines.
  init(_ bytes: [UInt8]) throws(DAVError) {
    self.bytes = bytes
    // Counted first: a card of short lines takes twenty times as long as one of the same size with a picture.
    guard Self.lineCount(bytes) <= Self.linesMaximum else {
      throw Self.invalid("A card has at most \(Self.linesMaximum) lines.")
    }
    var reader = CardReader(mediaBytesMaximum: CollectionProperties.cardBytesMaximum)
    let cards = reader.feed(bytes) + reader.finish()
    guard cards.count == 1, let card = cards.first, Self.isWhole(bytes) else {
      throw Self.invalid(
        cards.count > 1 ? "An address contains one card." : "The body is not a complete vCard.")
    }
    self.card = card
    contact = ImportedContact(card)
    // NB: here, because a transaction would wait for it.
    isForAll =
      bytes.count <= KeptCards.bytesMaximum && !contact.draft[.uid].isEmpty
      && StrictCards.isStrict(bytes)
    var content = contact.draft
    content[.uid] = ""
    guard content != ContactDraft() else { throw Self.invalid("The card is empty.") }
    if let failure = contact.findings.first(where: { $0.outcome == .failed || $0.outcome == .lost })
    {
      throw Self.invalid(failure.message)
    }
  }

  /// The number of pictures and sounds in the card.
  var pictureCount: Int {
    (contact.draft.photo == nil ? 0 : 1) + contact.draft[.other].count { $0.content != nil }
  }

  /// Whether the client can get the bytes back as they are: a card of 3.0 or 4.0 in UTF-8, and not too large to keep.
  var canBeKept: Bool {
    card.version != .two && bytes.count <= KeptCards.bytesMaximum
      && String(validating: bytes, as: UTF8.self) != nil
      && !bytes.starts(with: [0xEF, 0xBB, 0xBF])
      && bytes.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
  }

  /// What the card says, for comparisons.
  var content: ContactDraft { Self.content(of: card) }

  /// Returns what a card says, for comparisons: programs write the type of a picture in different ways, and other properties
  /// in any order.
  static func content(of card: Card) -> ContactDraft {
    var draft = ImportedContact(card).draft.withFiles
    draft.photo?.mediaType = ""
    draft[.other].sort { left, right in
      let parts: [EntryText] = [.name, .value, .parameters, .group]
      return parts.map { left[$0] }.lexicographicallyPrecedes(parts.map { right[$0] })
    }
    return draft
  }

  private static func lineCount(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var feeds = 0
      var returns = 0
      for byte in bytes {
        feeds += byte == 0x0A ? 1 : 0
        returns += byte == 0x0D ? 1 : 0
      }
      return max(feeds, returns)
    }
  }

  /// Whether the card has its beginning and its end: other clients get these bytes.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    let blanks: Set<UInt8> = [0x0D, 0x0A, 0x20, 0x09]
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).drop(
      while: blanks.contains)
    let end = bytes.reversed().drop(while: blanks.contains).prefix(9).reversed()
    return String(decoding: start.prefix(11), as: UTF8.self).uppercased() == "BEGIN:VCARD"
      && String(decoding: end, as: UTF8.self).uppercased() == "END:VCARD"
  }

  private static func invalid(_ message: String) -> DAVError {
    DAVError(.forbidden, message, condition: XMLTree(.card("valid-address-data")))
  }
}
