// The names of people: a display name for people to read, and the name of the account for programs. Only the latter is
// unique.

import Records

/// Names of people whom commands name by their accounts.
enum PersonName {
  /// Returns the display name, followed by the account's name if they differ; for programs the account's name
  /// alone.
  static func shown(_ displayName: String, account: String, in style: Printer.Style) -> String {
    guard style == .terminal, displayName != account else { return account }
    return "\(displayName) (\(account))"
  }

  /// Returns the name of the account that a user means by its name, or by a display name that only one person has.
  /// Case matters only if it tells two people apart.
  /// A name that no person has is returned unchanged, because the agent has the error for it.
  /// - Throws: `invalidArguments` if several people have the display name.
  static func account(
    named typed: String, among people: [(account: String, displayName: String)]
  ) throws(ControlFailure) -> String {
    guard !people.contains(where: { $0.account == typed }) else { return typed }
    var accounts = people.filter { $0.displayName == typed }.map(\.account)
    if accounts.isEmpty {
      let lower = typed.lowercased()
      accounts = people.filter {
        [$0.account, $0.displayName].map { $0.lowercased() }.contains(lower)
      }
      .map(\.account)
    }
    guard accounts.count > 1 else { return accounts.first ?? typed }
    throw .error(
      .invalidArguments,
      "“\(PlainText.clean(typed))” is the display name of \(accounts.count) accounts: "
        + "\(accounts.sorted().joined(separator: ", ")).",
      hint: "Use the account's name.")
  }
}
