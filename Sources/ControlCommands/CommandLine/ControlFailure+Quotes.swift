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
}
