// Ids of entries that are imported. An entry that a person adds gets a random id. An imported entry gets an
// id derived from its list, its content and the number of equal entries before it. Two devices that import
// the same file offline therefore create the same entries, and a later import does not collide with its own
// ids.

import Records

/// Derives the ids of imported entries.
package enum DerivedEntryID {
  /// Returns the id of a new entry of `list` with these `fields`, different from all ids in `taken`.
  package static func byContent(
    _ list: ContactList, _ fields: Fields, _ taken: Set<EntryID>
  ) -> EntryID {
    var occurrence: UInt64 = 0
    while true {
      var fingerprint = Fingerprint()
      fingerprint.add("entry")
      fingerprint.add(list.rawValue)
      fingerprint.add(EncodedRecord(fields).bytes)
      fingerprint.add(occurrence)
      let id = EntryID(fingerprint.value)
      if !taken.contains(id) { return id }
      occurrence += 1
    }
  }
}
