// A person or company of an address book, as people see it. ContactRecord.swift alone defines how it is
// stored in a record. Absent and empty properties are the same. A property of a card that has no equivalent
// is retained unchanged in `other`.

import Records

/// One entry of an address book.
package struct Contact: Hashable, Sendable {
  /// The name of the contact's record.
  package let id: RecordName

  /// The full name, if one was typed; otherwise it is made from the parts.
  package var displayName = ""
  /// The prefix of the name: “Dr.”.
  package var namePrefix = ""
  /// The given name.
  package var firstName: String
  /// Further given names.
  package var middleName = ""
  /// The family name.
  package var lastName: String
  /// The suffix of the name: “Jr.”.
  package var nameSuffix = ""
  /// The phonetic given name; in Japanese, its phonetic spelling.
  package var phoneticFirstName = ""
  /// The phonetic further given names.
  package var phoneticMiddleName = ""
  /// The phonetic family name.
  package var phoneticLastName = ""
  /// The nickname; several are separated by commas.
  package var nickname = ""
  /// The company.
  package var company: String
  /// The departments within the company, the largest first.
  package var departments: [String] = []
  /// The job title.
  package var title = ""
  /// The role in the organization.
  package var role = ""
  /// Telephone numbers. This and the lists below are in the order in which they are shown.
  package var phones: [LabeledValue]
  /// E-mail addresses.
  package var emails: [LabeledValue]
  /// Postal addresses.
  package var addresses: [PostalAddress] = []
  /// Web addresses.
  package var urls: [LabeledValue] = []
  /// Addresses for instant messages, as `xmpp:ada@example.com`.
  package var instantMessages: [LabeledValue] = []
  /// The birthday as `PartialDate` writes it; a text that is no date is stored unchanged.
  package var birthday = ""
  /// The wedding day or another anniversary, in the form of `birthday`.
  package var anniversary = ""
  /// Further dates, their values in the form of `birthday`.
  package var dates: [LabeledValue] = []
  /// Other people, by name or by an address of their card.
  package var related: [LabeledValue] = []
  /// Free text, with line breaks.
  package var note = ""
  /// The categories of the contact, in order, without repetitions.
  package var categories: [String] = []
  /// Whether this is an emergency contact.
  package var isEmergency = false
  /// The picture.
  package var photo: ContactPhoto?
  /// The card's UID in the program it came from; empty for a contact created here.
  package var uid = ""
  /// The card's properties that have no equivalent above.
  package var other: [OtherProperty] = []

  /// Creates a contact with these fields.
  package init(
    id: RecordName, firstName: String = "", lastName: String = "", company: String = "",
    phones: [LabeledValue] = [], emails: [LabeledValue] = []
  ) {
    self.id = id
    self.firstName = firstName
    self.lastName = lastName
    self.company = company
    self.phones = phones
    self.emails = emails
  }

  /// A property that is one text.
  package subscript(text: ContactText) -> String {
    // Without key paths: reading a list of a thousand contacts calls this thirty thousand times.
    get {
      switch text {
      case .displayName: displayName
      case .namePrefix: namePrefix
      case .firstName: firstName
      case .middleName: middleName
      case .lastName: lastName
      case .nameSuffix: nameSuffix
      case .phoneticFirstName: phoneticFirstName
      case .phoneticMiddleName: phoneticMiddleName
      case .phoneticLastName: phoneticLastName
      case .nickname: nickname
      case .company: company
      case .title: title
      case .role: role
      case .birthday: birthday
      case .anniversary: anniversary
      case .note: note
      case .uid: uid
      }
    }
    set {
      switch text {
      case .displayName: displayName = newValue
      case .namePrefix: namePrefix = newValue
      case .firstName: firstName = newValue
      case .middleName: middleName = newValue
      case .lastName: lastName = newValue
      case .nameSuffix: nameSuffix = newValue
      case .phoneticFirstName: phoneticFirstName = newValue
      case .phoneticMiddleName: phoneticMiddleName = newValue
      case .phoneticLastName: phoneticLastName = newValue
      case .nickname: nickname = newValue
      case .company: company = newValue
      case .title: title = newValue
      case .role: role = newValue
      case .birthday: birthday = newValue
      case .anniversary: anniversary = newValue
      case .note: note = newValue
      case .uid: uid = newValue
      }
    }
  }
}
