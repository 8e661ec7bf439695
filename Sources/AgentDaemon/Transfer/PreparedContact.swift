import AddressBook
import ContactCards
import Contacts
import DeviceStore
import Records

/// A contact of a file, with what its import needs. It is made while the device does other work, because the device
/// does nothing else during a step of an import.
final class PreparedContact: Sendable {
  /// The contact as it was read.
  let contact: ImportedContact
  /// The name of its record, unless the address book already has it under another.
  let recordName: RecordName
  /// The names under which the address book may have it: its UID, which is the record name of a contact that was
  /// exported here, the name that an import derived, and that of the same person in a table without UIDs.
  let names: [RecordName]
  /// The changes that create its record; `nil` if they were not made, or if it cannot be stored as it is.
  let creation: FieldChanges?
  /// The fields of the record when it is created, with their encoding.
  let encoding: EncodedFields?
  /// The public id of the record when it is created in `zone`.
  private let publicID: PublicID?
  private let zone: ZoneID
  /// What lists and searches need of it when it is created.
  let listed: ListedContact?

  /// Prepares a contact.
  /// - Parameters:
  ///   - zone: The group in which it will probably be created.
  ///   - people: The contacts that a table without UIDs may describe; `nil` for another file.
  ///   - preparation: Makes what lists and searches need; `nil` if the address book probably has the contact.
  init(
    _ contact: ImportedContact, in zone: ZoneID, among people: KnownPeople?,
    with preparation: ContactPreparation?
  ) {
    self.contact = contact
    self.zone = zone
    recordName = contact.recordName
    let known = contact.draft[.uid].isEmpty ? people : nil
    let isCreationNeeded = preparation != nil || known != nil
    let creation = isCreationNeeded ? try? Self.creation(of: contact, named: recordName) : nil
    let person = creation.flatMap { creation in
      known?.record(of: ContactRecord.contact(named: contact.recordName, fields: creation.set))
    }
    names = [try? RecordName(contact.draft[.uid]), recordName, person].compactMap { $0 }
    guard let preparation, let creation else {
      (self.creation, encoding, publicID, listed) = (nil, nil, nil, nil)
      return
    }
    self.creation = creation
    encoding = EncodedFields(creation.set)
    publicID = RecordID(zone: zone, name: recordName).publicID
    listed =
      contact.isGroup ? nil : preparation.contact(named: recordName, fields: creation.set)
  }

  /// Returns the public id of `record`, if that is the record that the contact was prepared for.
  func publicID(of record: RecordID) -> PublicID? {
    record.zone == zone && record.name == recordName ? publicID : nil
  }

  /// Returns the changes that create a contact's record.
  /// - Throws: `invalidArguments` or `limitExceeded` if the contact cannot be stored.
  static func creation(
    of contact: ImportedContact, named name: RecordName
  ) throws -> FieldChanges {
    try ContactEdit.replacing(Contact(id: name), with: contact.draft)
      .changes(to: Fields(), naming: DerivedEntryID.byContent)
  }
}
