// The ten contacts of a new account (A1). Record names, entry ids and positions are fixed, so two devices
// that import them at the same time create the same records, and the broker detects the second import by its
// marker. The people are fictitious; their numbers and domains are reserved for such use. Never rename or
// reorder them: names derive from the order.

import FoundationEssentials
import Records

/// The contacts that are imported at the first start.
package enum BundledContacts {
  /// The record that marks the import as done; never deleted.
  package static let marker = RecordName(stored: "import-bundled-1")
  /// The record type of the marker.
  package static let markerType = RecordType(stored: "ImportMarker")

  /// Returns the ten contacts, each as a record name and fields, in order.
  /// - Throws: `internalError` if the text below is damaged.
  package static func all() throws(RecordsError) -> [(name: RecordName, fields: Fields)] {
    let people: [BundledPerson]
    do {
      people = try JSONDecoder().decode([BundledPerson].self, from: Data(json.utf8))
    } catch {
      throw RecordsError(.internalError, "The bundled contacts cannot be read: \(error).")
    }
    return people.enumerated().map { index, person in
      let number = index + 1
      let name = RecordName(stored: "bundled-1-\(number < 10 ? "0" : "")\(number)")
      return (name, fields(of: person, named: name))
    }
  }

  private static func fields(of person: BundledPerson, named name: RecordName) -> Fields {
    var fields = Fields()
    fields[ContactText.firstName.key] = person.firstName.map { .string($0) }
    fields[ContactText.lastName.key] = person.lastName.map { .string($0) }
    fields[ContactText.company.key] = person.company.map { .string($0) }
    fields[ContactList.phones.key] = entries(person.phones, of: "phones", named: name)
    fields[ContactList.emails.key] = entries(person.emails, of: "emails", named: name)
    return fields
  }

  private static func entries(
    _ values: [BundledPerson.Labeled]?, of list: String, named name: RecordName
  ) -> Value? {
    guard let values, !values.isEmpty else { return nil }
    var position: Position?
    let entries = values.enumerated().map { index, labeled in
      var fingerprint = Fingerprint()
      fingerprint.add(name.text)
      fingerprint.add(list)
      fingerprint.add(UInt64(index))
      let place = Position.between(position, nil)
      position = place
      return Entry(
        id: EntryID(fingerprint.value), position: place,
        fields: ContactRecord.entryFields([.label: labeled.label, .value: labeled.value]))
    }
    return .entries(entries)
  }

  private static let json = """
    [
      {"firstName": "Ada", "lastName": "Quill", "company": "Quill & Sons Bindery",
       "phones": [{"label": "mobile", "value": "+1 555 010 0101"}],
       "emails": [{"label": "work", "value": "ada.quill@example.com"}]},
      {"firstName": "Bram", "lastName": "Oosterveld",
       "phones": [{"label": "home", "value": "+1 555 010 0102"},
                  {"label": "work", "value": "+1 555 010 0112"}],
       "emails": [{"label": "home", "value": "bram@example.net"}]},
      {"firstName": "Chidi", "lastName": "Marlowe", "company": "Harbour Lights Theatre",
       "phones": [{"label": "work", "value": "+44 20 7946 0103"}],
       "emails": [{"label": "work", "value": "chidi.marlowe@example.org"},
                  {"label": "home", "value": "chidi@example.net"}]},
      {"firstName": "Dagny", "lastName": "Lindqvist",
       "phones": [{"label": "mobile", "value": "+46 70 174 06 10"}],
       "emails": [{"label": "home", "value": "dagny.lindqvist@example.com"}]},
      {"firstName": "Élodie", "lastName": "Fontanel",
       "phones": [{"label": "mobile", "value": "+1 555 010 0105"}],
       "emails": [{"label": "home", "value": "elodie@example.org"}]},
      {"company": "Fernhill Bicycle Repair",
       "phones": [{"label": "main", "value": "+1 555 010 0106"}],
       "emails": [{"label": "work", "value": "workshop@example.com"}]},
      {"firstName": "Gus",
       "phones": [{"label": "mobile", "value": "+1 555 010 0107"}]},
      {"firstName": "Hana", "lastName": "Sorrel", "company": "Sorrel Garden Seeds",
       "phones": [{"label": "work", "value": "+1 555 010 0108"}],
       "emails": [{"label": "work", "value": "hana@example.com"}]},
      {"firstName": "Ivo", "lastName": "Tanager",
       "emails": [{"label": "home", "value": "ivo.tanager@example.net"}]},
      {"lastName": "Umber", "company": "Umber Paint Works",
       "phones": [{"label": "main", "value": "+44 20 7946 0110"},
                  {"label": "fax", "value": "+44 20 7946 0120"}],
       "emails": [{"label": "work", "value": "office@example.org"}]}
    ]
    """
}

private struct BundledPerson: Decodable {
  struct Labeled: Decodable {
    let label: String
    let value: String
  }

  let firstName: String?
  let lastName: String?
  let company: String?
  let phones: [Labeled]?
  let emails: [Labeled]?
}
