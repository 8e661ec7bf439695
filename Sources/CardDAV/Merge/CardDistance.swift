// Several programs can share a password, so several versions of a card may have been served for it. The one that a
// program has changed is the one that resembles what it sends.

import ContactCards
import Contacts

/// How much two cards differ.
package enum CardDistance {
  /// Returns the card among `bases` that resembles `body` most; of several that do, the last one.
  package static func nearest(to body: Card, among bases: [Card]) -> Card? {
    guard bases.count > 1 else { return bases.first }
    let content = content(of: body)
    return bases.reversed().min {
      Self.content(of: $0).symmetricDifference(content).count
        < Self.content(of: $1).symmetricDifference(content).count
    }
  }

  /// Everything that a card says, piece by piece.
  private static func content(of card: Card) -> Set<Piece> {
    let draft = ImportedContact(card).draft.withFiles
    var pieces = Set(draft.texts.map { Piece.text($0.key, $0.value) })
    for (list, entries) in draft.lists {
      for entry in entries { pieces.insert(.entry(list, entry)) }
    }
    for word in draft.departments + draft.categories { pieces.insert(.word(word)) }
    if let photo = draft.photo { pieces.insert(.photo(photo.media)) }
    return pieces
  }

  private enum Piece: Hashable {
    case text(ContactText, String)
    case entry(ContactList, ContactDraft.DraftEntry)
    case word(String)
    case photo(ContactMedia)
  }
}
