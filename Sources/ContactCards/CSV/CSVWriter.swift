// A table with the column names that Google reads, and Outlook by way of most converters. It holds
// what a table can: names, numbers, addresses, days, notes; pictures and what only cards can say
// stay behind. So it is for taking along, not for keeping.

import Contacts
import Records

/// Writes contacts as a table.
package enum CSVWriter {
  /// Entries of one list with columns of their own; more go into the last one.
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
    var names = ["UID"] + texts.map(\.0) + ["Organization Department", "Labels", "Emergency"]
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

  /// Appends the row of `contact`.
  package static func write(_ contact: Contact, to bytes: inout [UInt8]) {
    let draft = ContactDraft(contact)
    var fields = [draft[.uid].isEmpty ? contact.id.text : draft[.uid]]
    fields += texts.map { draft[$0.1] }
    fields.append(draft.departments.joined(separator: ", "))
    fields.append(draft.categories.joined(separator: CSVColumn.several))
    fields.append(draft.isEmergency ? "TRUE" : "")
    for (_, list) in lists {
      let slots = slots(draft[list])
      for number in 0..<columnsPerList {
        fields += number < slots.count ? [slots[number].label, slots[number].value] : ["", ""]
      }
    }
    for number in 0..<columnsPerList {
      let addresses = draft[.addresses]
      fields += addressParts.map { number < addresses.count ? addresses[number][$0.1] : "" }
    }
    write(fields, to: &bytes)
  }

  /// Labels and values, as many as there are columns: what does not fit goes to the last.
  private static func slots(
    _ entries: [ContactDraft.DraftEntry]
  ) -> [(label: String, value: String)] {
    let all = entries.map { (label: $0[.label], value: $0[.value]) }
    guard all.count > columnsPerList else { return all }
    let rest = all[(columnsPerList - 1)...]
    return all.prefix(columnsPerList - 1) + [
      (rest[rest.startIndex].label, rest.map(\.value).joined(separator: CSVColumn.several))
    ]
  }

  private static func write(_ fields: [String], to bytes: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
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
