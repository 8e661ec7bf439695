// A word that completion offers: a name, a title, an id. Names and titles come from other people, and shells
// interpret the words they are offered: bash expands `$(…)` in them and runs the command. Words are therefore
// escaped so that the shell takes them literally, or are not offered.

import ArgumentParser

/// A completion and its description.
struct OfferedWord: Equatable, Sendable {
  let word: String
  let meaning: String

  /// Creates a word; zsh and fish show `meaning` as its description.
  init(_ word: String, _ meaning: String = "") {
    self.word = word
    self.meaning = PlainText.clean(meaning)
  }

  /// The shell that requests completions, and its properties.
  struct Reader: Sendable {
    let shell: CompletionShell?
    /// Whether the script in use is one of `CompletionScript`. The parser's own script, which
    /// `--generate-completion-script` prints, cannot insert every word safely.
    let hasOurScript: Bool
    let typed: TypedWord
  }

  /// Returns the line that offers this word; `nil` if the shell could not take it literally, if it would move
  /// the terminal's cursor, or if contactsctl would read it as a flag.
  func line(for reader: Reader) -> String? {
    guard !word.isEmpty, !word.hasPrefix("-"), PlainText.clean(word) == word else { return nil }
    switch reader.shell {
    case .zsh: return zshLine(for: reader)
    case .fish: return meaning.isEmpty ? word : "\(word)\t\(meaning)"
    // bash, or an unknown shell: the most cautious form.
    default: return bashLine(for: reader)
    }
  }

  private func zshLine(for reader: Reader) -> String? {
    // The parser's own script does not escape history references.
    guard reader.hasOurScript || !word.contains("!") else { return nil }
    let escaped = word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
    return meaning.isEmpty ? escaped : "\(escaped):\(meaning)"
  }

  private func bashLine(for reader: Reader) -> String? {
    guard word.lowercased().hasPrefix(reader.typed.text.lowercased()) else { return nil }
    guard reader.hasOurScript else {
      // `compgen -W` removes the backslashes, and readline does not restore all of them.
      return word.contains { "$`".contains($0) } ? nil : Self.escaped(word)
    }
    // bash replaces the text after the open quotation mark, and closes the mark itself.
    guard word.hasPrefix(reader.typed.beforeQuote) else { return nil }
    let rest = String(word.dropFirst(reader.typed.beforeQuote.count))
    return switch reader.typed.quote {
    case .none: Self.escaped(word)
    case .single: rest.replacing("'", with: #"'\''"#)
    case .double: Self.doubleQuoted(rest)
    }
  }

  /// Returns `text` with a backslash before all characters except letters, digits, marks and `_./-`.
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if !isPlain(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return "_./-".unicodeScalars.contains(scalar) || Character(scalar).isLetter
        || Character(scalar).isNumber
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  /// Returns `text` for use between double quotation marks. A backslash does not escape `!` there, so the
  /// marks are closed around it.
  private static func doubleQuoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "!" {
        quoted.append(contentsOf: #""'!'""#.unicodeScalars)
        continue
      }
      if "\"\\$`".unicodeScalars.contains(scalar) { quoted.append("\\") }
      quoted.append(scalar)
    }
    return String(quoted)
  }
}
