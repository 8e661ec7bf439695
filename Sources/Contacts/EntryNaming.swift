// How a new entry gets its id. What a person types gets a random one. What a file says gets one that
// comes from the list, the content and how often the list says it already: two devices that read the
// same file while they are apart make the same entries, and a later update never meets its own ids.

import Records

/// Derives ids of entries.
package enum EntryNaming {
  /// The id of a new entry of `list` that says `fields`, and that no id of `taken` is like.
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
