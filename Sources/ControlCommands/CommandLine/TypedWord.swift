// The word in front of the cursor while a shell completes. bash and zsh pass it as it was typed, with
// backslashes and quotation marks; names have neither, so it is read the way the shell would read it.

/// A word of an unfinished command line.
struct TypedWord: Equatable, Sendable {
  /// A quotation mark that is still open at the end of the word.
  enum Quote: Equatable, Sendable { case none, single, double }

  /// The word without quotation marks and backslashes.
  let text: String
  /// The quotation mark that is still open.
  let quote: Quote
  /// What stands before the open quotation mark, without quotation marks and backslashes.
  let beforeQuote: String

  /// Reads `raw` as a POSIX shell reads a word.
  init(shell raw: String) {
    var text = ""
    var quote = Quote.none
    var beforeQuote = ""
    var isEscaped = false
    for character in raw {
      if isEscaped {
        if quote == .double, !"\"\\$`!".contains(character) { text.append("\\") }
        text.append(character)
        isEscaped = false
        continue
      }
      switch (character, quote) {
      case ("\\", .none), ("\\", .double): isEscaped = true
      case ("'", .single), ("\"", .double): quote = .none
      case ("'", .none), ("\"", .none):
        quote = character == "'" ? .single : .double
        beforeQuote = text
      default: text.append(character)
      }
    }
    self.text = text
    self.quote = quote
    self.beforeQuote = quote == .none ? "" : beforeQuote
  }

  /// A word that is already without quotation marks and backslashes.
  init(plain text: String) {
    self.text = text
    quote = .none
    beforeQuote = ""
  }
}
