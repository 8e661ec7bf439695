// V5: a state may be typed by its name or its letters, and is kept by its letters. That is so for
// what people type; a card that is imported keeps its own words.

import Records

extension ContactEdit {
  /// The edit with the states of US addresses as they are kept. What it does not name is looked up
  /// in `contact`, the contact as it is.
  package func abbreviatingStates(of contact: Contact) -> ContactEdit {
    var result = self
    result[.addresses] = self[.addresses].map { edit in
      switch edit {
      case .insert(let texts, let content):
        .insert(Self.abbreviated(texts, country: ""), content: content)
      case .update(let id, let texts):
        .update(
          id,
          Self.abbreviated(
            texts, country: contact.addresses.first { $0.id == id }?.country ?? ""))
      case .remove: edit
      }
    }
    return result
  }

  private static func abbreviated(
    _ texts: CaseValues<EntryText, String>, country: String
  ) -> CaseValues<EntryText, String> {
    guard let state = texts[.state] else { return texts }
    var texts = texts
    texts[.state] = USState.stored(state, country: texts[.country] ?? country)
    return texts
  }
}
