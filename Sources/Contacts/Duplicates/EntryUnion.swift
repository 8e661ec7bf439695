// Unites two lists of entries: all entries of the first, then those that only the second contains. An entry
// of both lists, such as one phone number in two notations, occurs once, with the details of both.

import Records

/// The union of two lists of one property.
struct EntryUnion {
  private let list: ContactList?

  /// Creates the union for the field `key`.
  init(_ key: FieldKey) {
    list = ContactList(rawValue: key.text)
  }

  /// Returns all of `mine` in their order, then the entries of `theirs` that have no equal in `mine`.
  func united(_ mine: [Entry], _ theirs: [Entry]) -> [Entry] {
    var result = mine.sorted(by: Entry.precedes)
    for entry in theirs.sorted(by: Entry.precedes) {
      if let index = result.firstIndex(where: { isSame($0, entry) }),
        let joined = joined(result[index], entry)
      {
        result[index] = joined
        continue
      }
      let isTaken = result.contains { $0.id == entry.id }
      result.append(
        Entry(
          id: isTaken ? Self.freshID(of: entry) : entry.id,
          position: .between(result.last?.position, nil), fields: entry.fields))
    }
    return result
  }

  private static func freshID(of entry: Entry) -> EntryID {
    var fingerprint = Fingerprint()
    fingerprint.add(entry.id.bytes)
    fingerprint.add(EncodedRecord(entry.fields).bytes)
    return EntryID(fingerprint.value)
  }

  // MARK: Sameness

  private func isSame(_ one: Entry, _ other: Entry) -> Bool {
    guard let list, list != .other else { return one.fields == other.fields }
    return list.substance.allSatisfy { property in
      comparable(one.fields[property.key]) == comparable(other.fields[property.key])
    }
  }

  private func comparable(_ value: Value?) -> String {
    let text = ContactRecord.text(value)
    if list == .phones {
      let number = ContactFacts.number(text)
      if !number.isEmpty { return number }
    }
    return text.trimmingBlanks().foldedFact()
  }

  /// Returns one entry with the content of both; `nil` if that would lose text.
  private func joined(_ mine: Entry, _ theirs: Entry) -> Entry? {
    var result = mine
    for field in theirs.fields.all {
      guard let own = mine.fields[field.key] else {
        result.fields[field.key] = field.value
        continue
      }
      guard own != field.value else { continue }
      switch EntryText(rawValue: field.key.text) {
      case .some(let property) where list?.substance.contains(property) == true: continue
      case .label, .kinds: Self.addKinds(ContactRecord.text(field.value), to: &result)
      case .preference: continue
      default: return nil
      }
    }
    return result
  }

  /// Adds the label of the other entry to the kinds.
  private static func addKinds(_ text: String, to entry: inout Entry) {
    let key = EntryText.kinds.key
    var kinds = ContactRecord.text(entry.fields[key]).split(separator: ",").map(String.init)
    for kind in text.split(separator: ",").map(String.init)
    where !kinds.contains(kind) && kind != ContactRecord.text(entry.fields[EntryText.label.key]) {
      kinds.append(kind)
    }
    entry.fields[key] = ContactRecord.value(kinds.joined(separator: ","))
  }
}
