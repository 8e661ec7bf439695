// Rules for the names of accounts. The broker reserves two kinds of names: those it derives from a uid, and
// those of deleted accounts. A client may not choose them, so no user can take the name that another user's
// account will get.

import Records

/// The rules for the names of accounts.
package enum AccountNameRules {
  private static let derivedPrefix = "user-"
  /// The prefix of a deleted account's name; the account's id follows.
  package static let deletedPrefix = "deleted "
  private static let suffixCharacters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
  /// The shortest suffix has 1.7 million values. Each further attempt uses a longer one.
  private static let suffixLengths = 4...16

  /// The name of the account of a user who chooses none.
  package static func derived(from uid: UInt32) -> String { "\(derivedPrefix)\(uid)" }

  /// Returns the derived name of a user, with a random suffix if another account has that name. Returns
  /// `nil` if every attempt finds a name that is in use.
  package static func free(
    for uid: UInt32, using generator: inout some RandomNumberGenerator,
    isTaken: (String) throws -> Bool
  ) rethrows -> String? {
    let derived = derived(from: uid)
    guard try isTaken(derived) else { return derived }
    for length in suffixLengths {
      let name = "\(derived)-\(suffix(length, using: &generator))"
      if try !isTaken(name) { return name }
    }
    return nil
  }

  private static func suffix(
    _ length: Int, using generator: inout some RandomNumberGenerator
  ) -> String {
    String((0..<length).compactMap { _ in suffixCharacters.randomElement(using: &generator) })
  }

  /// Returns the reason why a new account cannot have `name`, or `nil` if it can.
  /// - Parameters:
  /// - uid: the user who chooses the name, or for whom an administrator chooses it.
  /// - field: the argument that holds the name, for the error.
  package static func objection(
    to name: String, of uid: UInt32?, field: String
  ) -> RecordsError? {
    guard !name.isEmpty, name.utf8.count <= Limits.titleBytes, !name.hasControlCharacters else {
      return .invalid(
        "An account's name must have 1 to \(Limits.titleBytes) bytes and no control characters.",
        field: field)
    }
    guard !name.utf8.starts(with: deletedPrefix.utf8) else {
      return .invalid(
        "An account's name cannot begin with “\(deletedPrefix)”, which is reserved for deleted accounts.",
        field: field)
    }
    guard !isDerived(name) || uid.map(derived) == name else {
      return .invalid(
        "The account name “\(name)” is reserved for the user with that uid.", field: field)
    }
    return nil
  }

  /// Whether `name` has the form of a derived name, of any user.
  private static func isDerived(_ name: String) -> Bool {
    let digits = name.utf8.dropFirst(derivedPrefix.utf8.count)
    return name.utf8.starts(with: derivedPrefix.utf8) && !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
