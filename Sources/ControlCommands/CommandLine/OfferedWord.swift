// A word that completion offers: a name, a title, an id. Names and titles are text of other people,
// and a shell reads what it is offered: bash expands `$(…)` in it and runs the command. A word is
// therefore written so that the shell takes it literally, or it is not offered at all.

import ArgumentParser

/// A completion, with what it means.
struct OfferedWord: Equatable, Sendable {
  let word: String
  let meaning: String

  /// `meaning` is shown by shells that show such: zsh and fish.
  init(_ word: String, _ meaning: String = "") {
    self.word = word
    self.meaning = PlainText.clean(meaning)
  }

  /// The shell that asks, and what it needs to know about an answer.
  struct Reader: Sendable {
    let shell: CompletionShell?
    /// Whether the script that asks is `CompletionScript`'s. A script that an older version printed
    /// may still be loaded; it cannot insert every word safely.
    let hasOurScript: Bool
    let typed: TypedWord
  }

  /// The line that offers this word; `nil` where the shell could not take it literally, where it
  /// would move the terminal's cursor, or where contactsctl would read it as a flag.
  func line(for reader: Reader) -> String? {
    guard !word.isEmpty, !word.hasPrefix("-"), PlainText.clean(word) == word else { return nil }
    switch reader.shell {
    case .zsh: return zshLine(for: reader)
    case .fish: return meaning.isEmpty ? word : "\(word)\t\(meaning)"
    // bash, or a shell that did not say its name: the most cautious form.
    default: return bashLine(for: reader)
    }
  }

  private func zshLine(for reader: Reader) -> String? {
    // Scripts of older versions switch off the escaping of history references.
    guard reader.hasOurScript || !word.contains("!") else { return nil }
    let escaped = word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
    return meaning.isEmpty ? escaped : "\(escaped):\(meaning)"
  }

  private func bashLine(for reader: Reader) -> String? {
    guard word.lowercased().hasPrefix(reader.typed.text.lowercased()) else { return nil }
    guard reader.hasOurScript else {
      // `compgen -W` takes the backslashes off, and readline does not put them all back.
      return word.contains { "$`".contains($0) } ? nil : Self.escaped(word)
    }
    // bash replaces what follows the open quotation mark, and closes the mark itself.
    guard word.hasPrefix(reader.typed.beforeQuote) else { return nil }
    let rest = String(word.dropFirst(reader.typed.beforeQuote.count))
    return switch reader.typed.quote {
    case .none: Self.escaped(word)
    case .single: rest.replacing("'", with: #"'\''"#)
    case .double: Self.doubleQuoted(rest)
    }
  }

  /// `text` with a backslash before everything but letters, digits, marks and `_./-`.
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

  /// `text` for a place between double quotation marks. A backslash does not protect `!` there, so
  /// the marks are closed around it.
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
