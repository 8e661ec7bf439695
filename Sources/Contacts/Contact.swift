// A person or company of an address book, as people see it. How it is kept in a record is told in
// ContactRecord.swift and nowhere else. Absent and empty are the same. A property that is not
// understood is not a reason to lose it: it stands in `other`, word for word.

import Records

/// One entry of an address book.
package struct Contact: Hashable, Sendable {
  /// The name of the contact's record.
  package let id: RecordName

  /// The whole name, if somebody typed it; else it is made from the parts.
  package var displayName = ""
  /// What stands before the name: “Dr.”.
  package var namePrefix = ""
  /// The given name.
  package var firstName: String
  /// Further given names.
  package var middleName = ""
  /// The family name.
  package var lastName: String
  /// What stands behind the name: “Jr.”.
  package var nameSuffix = ""
  /// How the given name is said or, in Japanese, written by sound.
  package var phoneticFirstName = ""
  /// How the further given names are said.
  package var phoneticMiddleName = ""
  /// How the family name is said.
  package var phoneticLastName = ""
  /// What friends say; several with commas between.
  package var nickname = ""
  /// The company.
  package var company: String
  /// The departments within the company, the largest first.
  package var departments: [String] = []
  /// The job title.
  package var title = ""
  /// What the person does there.
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
  /// The birthday as `PartialDate` writes it; what cannot be read as one is kept as it came.
  package var birthday = ""
  /// The wedding day or the like, as `birthday`.
  package var anniversary = ""
  /// Further days, their values as `birthday`.
  package var dates: [LabeledValue] = []
  /// Other people, by name or by an address of their card.
  package var related: [LabeledValue] = []
  /// Anything else, in lines.
  package var note = ""
  /// Words the contact is filed under, in order, none twice.
  package var categories: [String] = []
  /// Whether this is somebody to call in an emergency.
  package var isEmergency = false
  /// The picture.
  package var photo: ContactPhoto?
  /// Where the card came from knows it by this; empty for a contact made here.
  package var uid = ""
  /// What a card said and no property above means.
  package var other: [OtherProperty] = []

  /// A contact with what is given.
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
    // Not through key paths: a list of a thousand contacts comes through here thirty thousand times.
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
