// Two contacts made one. Lists are united, equal entries once; a place that holds one value keeps
// the first contact's, and the other one's goes where it can still be read: a second birthday among
// the dates, a second picture among what cards said, a second name into the note. It works on the
// records' own fields, so what this version does not know is kept as well.

import Records

/// The merging of one contact into another.
package struct ContactMerge: Hashable, Sendable {
  /// A value that did not keep its place.
  package struct Moved: Hashable, Sendable {
    /// The property, by its name in JSON.
    package let property: String
    /// What stays there.
    package let kept: String
    /// What did not.
    package let other: String
    /// Where that is now, by the property's name in JSON.
    package let destination: String
  }

  /// What changes in the contact that stays.
  package var changes: FieldChanges { FieldChanges.difference(from: before, to: fields) }
  /// The values that did not keep their place, in the order of their properties.
  package private(set) var moved: [Moved] = []

  private let before: Fields
  private var fields: Fields
  private let given: Fields

  /// Merges what `given` says into a contact that says `kept`.
  package init(kept: Fields, given: Fields) {
    before = kept
    fields = kept
    self.given = given
    for field in given.all { take(field.key, field.value) }
  }

  private mutating func take(_ key: FieldKey, _ value: Value) {
    // It goes with the picture it tells about.
    if key == ContactRecord.photoType, before[ContactRecord.photo] != nil { return }
    guard let own = fields[key] else {
      fields[key] = value
      return
    }
    guard own != value else { return }
    switch (own, value) {
    case (.entries(let mine), .entries(let theirs)):
      fields[key] = .entries(EntryUnion(key).united(mine, theirs))
    case (.list(let mine), .list(let theirs)):
      fields[key] = .list(mine + theirs.filter { !mine.contains($0) })
    case (.boolean, .boolean): fields[key] = .boolean(true)
    case (.string(let mine), .string(let theirs)): take(key, mine, theirs)
    default: takeOther(key, own, value)
    }
  }

  // MARK: Texts

  private mutating func take(_ key: FieldKey, _ mine: String, _ theirs: String) {
    guard mine.foldedFact().trimmingBlanks() != theirs.foldedFact().trimmingBlanks() else { return }
    switch ContactText(name: key.text) {
    case .note: fields[key] = .string(Self.joined(mine, theirs, separator: "\n\n"))
    case .nickname: fields[key] = .string(Self.joined(mine, theirs, separator: ","))
    case .birthday, .anniversary:
      add(to: .dates, [.label: key.text, .value: theirs])
      note(key.text, mine, theirs, in: ContactList.dates.rawValue)
    case .uid:
      add(to: .other, [.name: "X-FORMER-UID", .value: theirs])
      note(key.text, mine, theirs, in: ContactList.other.rawValue)
    case .some(let property):
      addToNote("\(property.noun): \(theirs)")
      note(key.text, mine, theirs, in: ContactText.note.rawValue)
    case nil: takeOther(key, .string(mine), .string(theirs))
    }
  }

  private static func joined(_ mine: String, _ theirs: String, separator: String) -> String {
    mine.contains(theirs) ? mine : theirs.contains(mine) ? theirs : mine + separator + theirs
  }

  private mutating func addToNote(_ line: String) {
    // The other contact's note, where it has one, is still to come and goes behind.
    let key = ContactText.note.key
    let text = ContactRecord.text(fields[key])
    fields[key] = .string(text.isEmpty ? line : text + "\n" + line)
  }

  // MARK: Everything else

  private mutating func takeOther(_ key: FieldKey, _ own: Value, _ value: Value) {
    if key == ContactRecord.photo, let media = ContactRecord.media(value) {
      let type = ContactRecord.text(given[ContactRecord.photoType])
      add(
        to: .other,
        [.name: "PHOTO", .parameters: type.isEmpty ? "" : "MEDIATYPE=\(type)"], media)
      note(key.text, "its picture", "the other picture", in: ContactList.other.rawValue)
      return
    }
    // Something a newer version wrote: beside the field, word for word.
    var free = FieldKey(stored: key.text + "Merged")
    while fields[free] != nil, fields[free] != value { free = FieldKey(stored: free.text + "2") }
    fields[free] = value
    note(key.text, "its value", "the other value", in: free.text)
  }

  private mutating func add(
    to list: ContactList, _ texts: [EntryText: String], _ media: ContactMedia? = nil
  ) {
    let mine = ContactRecord.entries(fields[list.key])
    let content = ContactRecord.entryFields(texts, content: media)
    var fingerprint = Fingerprint()
    fingerprint.add(EncodedRecord(given).bytes)
    fingerprint.add(EncodedRecord(content).bytes)
    let entry = Entry(
      id: EntryID(fingerprint.value), position: .between(nil, nil), fields: content)
    fields[list.key] = .entries(EntryUnion(list.key).united(mine, [entry]))
  }

  private mutating func note(
    _ property: String, _ kept: String, _ other: String, in destination: String
  ) {
    moved.append(Moved(property: property, kept: kept, other: other, destination: destination))
  }
}
