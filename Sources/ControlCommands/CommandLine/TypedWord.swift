// The word before the cursor during completion. bash and zsh pass it as typed, with backslashes and quotation
// marks. It is compared with names without them, so it is parsed in the same way as in the shell.

/// A word of an unfinished command line.
struct TypedWord: Equatable, Sendable {
  /// A quotation mark that is still open at the end of the word.
  enum Quote: Equatable, Sendable { case none, single, double }

  /// The word without quotation marks and backslashes.
  let text: String
  /// The quotation mark that is still open.
  let quote: Quote
  /// The text before the open quotation mark, without quotation marks and backslashes.
  let beforeQuote: String

  /// Parses `raw` as a POSIX shell does.
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

  /// Creates a word that is already without quotation marks and backslashes.
  init(plain text: String) {
    self.text = text
    quote = .none
    beforeQuote = ""
  }
}
