// The parts of a person's name, and the names that are composed of them. A contact that has no display name of its own is
// shown with the composed one.

import Records

/// The parts of a person's name, without blanks around them.
package struct NameParts: Hashable, Sendable {
  /// The order of the given and the family name in a composed name, which a person can choose.
  package enum Order: String, Hashable, Sendable, CaseIterable {
    /// “Dr. Jane Q. Roe Jr.”; the default.
    case givenFamily = "given-family"
    /// “Nagy Béla”
    case familyGiven = "family-given"
  }

  /// An order in which programs and people write the parts.
  enum Arrangement: CaseIterable {
    /// “Dr. Jane Q. Roe Jr.”
    case all
    /// “Jane Roe”
    case givenFamily
    /// “Roe, Jane”
    case familyCommaGiven
    /// “Nagy Béla”
    case familyGiven
    /// “田中太郎”
    case joined
  }

  private let prefix, given, middle, family, suffix: String

  /// The properties of a contact that are parts of the name.
  package static let properties: [ContactText] = [
    .namePrefix, .firstName, .middleName, .lastName, .nameSuffix,
  ]

  /// Creates the parts from the texts of a contact.
  package init(_ text: (ContactText) -> String) {
    prefix = text(.namePrefix).trimmingBlanks()
    given = text(.firstName).trimmingBlanks()
    middle = text(.middleName).trimmingBlanks()
    family = text(.lastName).trimmingBlanks()
    suffix = text(.nameSuffix).trimmingBlanks()
  }

  /// Whether there is no part.
  package var isEmpty: Bool {
    given.isEmpty && family.isEmpty && middle.isEmpty && prefix.isEmpty && suffix.isEmpty
  }

  /// The whole name. Names in the scripts of Chinese, Japanese and Korean begin with the family name and have no blanks.
  package var composed: String { composed(in: .givenFamily) }

  /// Returns the whole name with its parts in `order`.
  package func composed(in order: Order) -> String {
    if isJoined { return name(.joined) }
    return switch order {
    case .givenFamily: name(.all)
    case .familyGiven: Self.joined([prefix, family, given, middle, suffix], by: " ")
    }
  }

  /// Whether the parts are written without blanks between them.
  package var isJoined: Bool {
    given.isEastAsian && family.isEastAsian && middle.isEmpty && prefix.isEmpty && suffix.isEmpty
  }

  /// Whether a display name has the parts in the order of a directory: “Roe, Jane”.
  func isInverted(_ displayName: String) -> Bool {
    !displayName.isEmpty && !given.isEmpty && !family.isEmpty
      && displayName == name(.familyCommaGiven)
  }

  /// Returns the display name after the parts have changed from `old` to these, in the arrangement that it has. One that
  /// does not follow from the old parts is given up.
  /// - Parameter keepsChosen: whether a name that does not follow from the old parts stays instead.
  /// - Returns: an empty text if the composed name is right.
  package func displayName(
    replacing name: String, of old: NameParts, keepsChosen: Bool = false
  ) -> String {
    let kept = Arrangement.allCases.first { !old.isEmpty && old.name($0) == name }
    // Without parts, a name that never followed from them is all that the contact has.
    guard kept != nil || !(isEmpty || keepsChosen) else { return name }
    let next = kept.map(self.name) ?? ""
    return next == composed ? "" : next
  }

  private func name(_ arrangement: Arrangement) -> String {
    switch arrangement {
    case .all: Self.joined([prefix, given, middle, family, suffix], by: " ")
    case .givenFamily: Self.joined([given, family], by: " ")
    case .familyCommaGiven: Self.joined([family, given], by: ", ")
    case .familyGiven: Self.joined([family, given], by: " ")
    case .joined: family + given
    }
  }

  private static func joined(_ parts: [String], by separator: String) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: separator)
  }
}

extension ContactEdit {
  /// Returns the edit with the display name that follows from it: a person who corrects a part of the name expects lists to
  /// show that. An edit that sets the display name is unchanged.
  /// - Parameters:
  ///   - keepingChosen: whether a display name that does not follow from the parts stays.
  ///   - present: returns a text of the contact that is edited.
  package func rebuildingName(
    keepingChosen: Bool = false, of present: (ContactText) -> String
  ) -> ContactEdit {
    let name = present(.displayName).trimmingBlanks()
    guard !name.isEmpty, self[.displayName] == nil else { return self }
    let (old, new) = (NameParts(present), NameParts { self[$0] ?? present($0) })
    var edit = self
    if old != new {
      edit[.displayName] = new.displayName(
        replacing: name, of: old, keepsChosen: keepingChosen)
    } else if let company = self[.company], name == present(.company).trimmingBlanks() {
      edit[.displayName] = company
    }
    return edit
  }
}

extension String {
  /// Whether the text consists of Han characters, kana or Hangul.
  fileprivate var isEastAsian: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        switch scalar.value {
        case 0x3005, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
          0xAC00...0xD7A3,
          0xF900...0xFAFF, 0x20000...0x323AF:
          true
        default: false
        }
      }
  }
}
