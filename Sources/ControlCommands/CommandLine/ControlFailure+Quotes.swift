extension ControlFailure {
  /// Returns the failure with another hint if nothing was found and `words` may be one name that the shell has split.
  func suggestingQuotes(around words: [String], after command: String) -> ControlFailure {
    guard exitCode == .notFound, words.count > 1 else { return self }
    let name = PlainText.clean(words.joined(separator: " "))
    return ControlFailure(
      code: code, message: message,
      hint: "If “\(name)” is one name, quote it: contactsctl \(command) \"\(name)\"", field: field,
      exitCode: exitCode)
  }

  /// Returns the failure with short ids in its hint, for people.
  func shorteningIDs(_ ids: [String]) -> ControlFailure {
    let short = ShortIDs(ids)
    let text = ids.reduce(hint) { $0.replacing($1, with: short[$1]) }
    return ControlFailure(
      code: code, message: message, hint: text, field: field, reason: reason, exitCode: exitCode)
  }
}
