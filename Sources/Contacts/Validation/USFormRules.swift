// The strict form for US contacts, rows V1 to V9 as specified. “Characters” are what a person counts; blanks
// around a value are ignored. The specification allows no blank in the street, which is why this profile
// exists next to the default one and does not replace it.

/// The rules of `ValidationProfile.usForm`.
enum USFormRules {
  static func problems(in contact: Contact) -> [FieldProblem] {
    let fields = ContactField.all(of: contact)
    let problems = fields.compactMap { field in
      sentence(on: field).map(field.problem) ?? StandardRules.problem(in: field)
    }
    guard !fields.contains(where: \.kind.countsForWhole) else {
      return problems
    }
    let message = "A contact needs a name, a company, a phone, an e-mail or an address."
    return [FieldProblem(field: "contact", message: message)] + problems
  }

  private static func sentence(on field: ContactField) -> String? {
    guard !isRight(field) else { return nil }
    let said = "The \(field.noun) \(field.shown)"
    return switch field.kind {
    case .firstName, .lastName: "\(said) needs at least 2 characters."
    case .street1: "\(said) needs at least 3 characters, letters A–Z and digits only, no blanks."
    case .street2: "\(said) may hold letters A–Z and digits only, no blanks."
    case .city: "\(said) needs at least 3 characters, letters A–Z only, no blanks."
    case .state: "\(said) is not a US state; give its name or its two letters."
    case .zipcode: "\(said) needs exactly 5 digits."
    case .phone: "\(said) needs at least 7 characters and must be a whole number, digits only."
    case .email: "\(said) has no “@”."
    case .company, .name, .addressPart, .date, .label, .line, .url, .text: nil
    }
  }

  private static func isRight(_ field: ContactField) -> Bool {
    let value = field.value
    return switch field.kind {
    case .firstName, .lastName: value.count >= 2
    case .street1: value.count >= 3 && value.utf8.allSatisfy { isLetter($0) || isDigit($0) }
    case .street2: value.utf8.allSatisfy { isLetter($0) || isDigit($0) }
    case .city: value.count >= 3 && value.utf8.allSatisfy(isLetter)
    case .state: USState(named: value) != nil
    case .zipcode: value.utf8.count == 5 && value.utf8.allSatisfy(isDigit)
    case .phone: value.count >= 7 && Int(value) != nil
    case .email: value.contains("@")
    case .company, .name, .addressPart, .date, .label, .line, .url, .text: true
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension ContactField.Kind {
  /// Whether this field alone makes a contact non-empty (V9).
  fileprivate var countsForWhole: Bool {
    switch self {
    case .firstName, .lastName, .name, .company, .phone, .email, .street1, .street2, .city, .state,
      .zipcode, .addressPart:
      true
    case .date, .label, .line, .url, .text: false
    }
  }
}
