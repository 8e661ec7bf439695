// Writes a table with Google's column names, which most other programs can convert. A table contains names,
// numbers, addresses, dates and notes, but no pictures and no properties that only cards have. It is for
// transfers, not for backups.

import Contacts
import Records

/// Writes contacts as a table.
package enum CSVWriter {
  /// Columns that only our tables have.
  static let ownColumns = ["UID", "Emergency"]

  /// The number of entries of one list with columns of their own; further entries share the last one.
  private static let columnsPerList = 4

  private static let texts: [(String, ContactText)] = [
    ("Name Prefix", .namePrefix), ("First Name", .firstName), ("Middle Name", .middleName),
    ("Last Name", .lastName), ("Name Suffix", .nameSuffix),
    ("Phonetic First Name", .phoneticFirstName), ("Phonetic Middle Name", .phoneticMiddleName),
    ("Phonetic Last Name", .phoneticLastName), ("Nickname", .nickname),
    ("File As", .displayName), ("Organization Name", .company),
    ("Organization Title", .title), ("Role", .role), ("Birthday", .birthday),
    ("Anniversary", .anniversary), ("Notes", .note),
  ]

  private static let lists: [(String, ContactList)] = [
    ("E-mail", .emails), ("Phone", .phones), ("Website", .urls), ("IM", .instantMessages),
    ("Event", .dates), ("Relation", .related),
  ]

  private static let addressParts: [(String, EntryText)] = [
    ("Label", .label), ("Street", .street1), ("Extended Address", .street2), ("City", .city),
    ("Region", .state), ("Postal Code", .zipcode), ("Country", .country), ("PO Box", .poBox),
  ]

  /// Appends the first row.
  package static func writeHeader(to bytes: inout [UInt8]) {
    var names =
      ["UID"] + texts.map(\.0) + ["Organization Department", "Labels", "Group", "Emergency"]
    for (name, _) in lists {
      for number in 1...columnsPerList {
        names += ["\(name) \(number) - Label", "\(name) \(number) - Value"]
      }
    }
    for number in 1...columnsPerList {
      names += addressParts.map { "Address \(number) - \($0.0)" }
    }
    write(names, to: &bytes)
  }

  /// Appends the row of `contact`, which is in the group titled `group`; empty for the default group.
  package static func write(_ contact: Contact, group: String = "", to bytes: inout [UInt8]) {
    let draft = ContactDraft(contact)
    var fields = [draft[.uid].isEmpty ? contact.id.text : draft[.uid]]
    fields += texts.map { draft[$0.1] }
    fields.append(draft.departments.joined(separator: CSVColumn.several))
    fields.append(draft.categories.joined(separator: CSVColumn.several))
    fields.append(group)
    fields.append(draft.isEmergency ? "TRUE" : "")
    for (_, list) in lists {
      let slots = slots(draft[list], [.label, .value])
      for number in 0..<columnsPerList {
        fields += number < slots.count ? slots[number] : ["", ""]
      }
    }
    for number in 0..<columnsPerList {
      let slots = slots(draft[.addresses], addressParts.map(\.1))
      fields += number < slots.count ? slots[number] : addressParts.map { _ in "" }
    }
    write(fields, to: &bytes)
  }

  /// Returns the parts of as many entries as there are columns. Further entries share the last column, in
  /// Google's notation: each part contains the parts of all of them, in order.
  private static func slots(
    _ entries: [ContactDraft.DraftEntry], _ parts: [EntryText]
  ) -> [[String]] {
    let all = entries.preferredFirst.enumerated().map { index, entry in
      // Google marks the preferred entry with a star; it comes first.
      let isPreferred = index == 0 && entry[.preference] == "1"
      return parts.map { part in
        let text = entry[part]
        return part == .label && isPreferred ? (text.isEmpty ? "*" : "* " + text) : text
      }
    }
    guard all.count > columnsPerList else { return all }
    let rest = all[(columnsPerList - 1)...]
    let last = parts.indices.map { part in
      let pieces = rest.map { $0[part] }
      let isSame = parts[part] == .label && Set(pieces).count == 1
      return isSame || pieces.allSatisfy(\.isEmpty)
        ? pieces[0] : pieces.joined(separator: CSVColumn.several)
    }
    return all.prefix(columnsPerList - 1) + [last]
  }

  private static func write(_ fields: [String], to bytes: inout [UInt8]) {
    for (index, text) in fields.enumerated() {
      let field = CSVFormula.defused(CSVFormula.withoutControls(text))
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard field.utf8.contains(where: { ",\"\n\r;\t".utf8.contains($0) }) else {
        bytes += Array(field.utf8)
        continue
      }
      bytes.append(UInt8(ascii: "\""))
      for byte in field.utf8 {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes += [0x0D, 0x0A]
  }
}
