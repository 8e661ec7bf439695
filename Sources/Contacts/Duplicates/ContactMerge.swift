// Merges two contacts. Lists are united, with equal entries once. A property with a single value retains the
// first contact's, and the other value moves to where it can still be read: a second birthday to the dates, a
// second picture to the other properties, a second name into the note. The merge works on the records'
// fields, so fields that this version does not know are retained too.

import Records

/// The merge of one contact into another.
package struct ContactMerge: Hashable, Sendable {
  /// A value that moved to another property.
  package struct Moved: Hashable, Sendable {
    /// The property, by its name in JSON.
    package let property: String
    /// The value that remains.
    package let kept: String
    /// The value that moved.
    package let other: String
    /// Its new property, by the name in JSON.
    package let destination: String
  }

  /// The changes to the contact that remains.
  package var changes: FieldChanges { FieldChanges.difference(from: before, to: fields) }
  /// The values that moved, in the order of their properties.
  package private(set) var moved: [Moved] = []

  private let before: Fields
  private var fields: Fields
  private let given: Fields

  /// Merges the fields `given` into a contact with the fields `kept`.
  package init(kept: Fields, given: Fields) {
    before = kept
    fields = kept
    self.given = given
    for field in given.all { take(field.key, field.value) }
  }

  private mutating func take(_ key: FieldKey, _ value: Value) {
    // The type belongs to the picture and moves with it.
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
    // The other contact's note, if any, is appended later.
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
    // A field of a newer version: stored unchanged next to the existing one.
    var free = FieldKey(stored: key.text + "Merged")
    while fields[free] != nil, fields[free] != value { free = FieldKey(stored: free.text + "2") }
    fields[free] = value
    note(key.text, "its value", "the other value", in: free.text)
  }

  private mutating func add(
    to list: ContactList, _ texts: CaseValues<EntryText, String>, _ media: ContactMedia? = nil
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
