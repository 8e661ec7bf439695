// Suggests the most similar subcommand for a mistyped one. The parser does this for flags only; for words it
// would report an unexpected argument.

import ArgumentParser

/// Checks the names of subcommands.
enum WordCheck {
  /// Rejects an unknown subcommand, and an unknown one within a group of subcommands.
  static func check(_ arguments: [String]) throws(ControlFailure) {
    if arguments.first == "help" { return try check(Array(arguments.dropFirst())) }
    guard let word = arguments.first, !word.hasPrefix("-") else { return }
    let subcommand = try find(word, among: Contactsctl.subcommands, after: "contactsctl")
    let inner = subcommand.configuration.subcommands
    guard !inner.isEmpty, arguments.count > 1, !arguments[1].hasPrefix("-"),
      takesSubcommandOnly(subcommand)
    else { return }
    _ = try find(arguments[1], among: inner, after: "contactsctl \(word)")
  }

  /// Returns the names of the subcommand, and of the one within it, in `arguments`; empty for none.
  static func path(of arguments: [String]) -> String {
    guard let word = arguments.first,
      let subcommand = Contactsctl.subcommands.first(where: { words(for: $0).contains(word) })
    else { return "" }
    let name = subcommand._commandName
    guard arguments.count > 1,
      let inner = subcommand.configuration.subcommands.first(where: {
        words(for: $0).contains(arguments[1])
      })
    else { return name }
    return "\(name) \(inner._commandName)"
  }

  /// The name of a subcommand and its aliases.
  static func words(for subcommand: any ParsableCommand.Type) -> [String] {
    [subcommand._commandName] + subcommand.configuration.aliases
  }

  /// Whether the word after `subcommand` can only be another subcommand. A default subcommand takes words of
  /// its own, except a list.
  private static func takesSubcommandOnly(_ subcommand: any ParsableCommand.Type) -> Bool {
    guard let usual = subcommand.configuration.defaultSubcommand else { return true }
    return usual._commandName == "list"
  }

  /// Returns the most similar of `candidates`; `nil` if none is similar.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    // Every name begins with the empty word, but none is similar to it.
    guard !word.isEmpty else { return nil }
    let scored = candidates.map { (word: $0, distance: distance(word, $0)) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    let isNear = best.distance <= max(1, min(word.count, best.word.count) / 3)
    return isNear || best.word.hasPrefix(word) ? best.word : nil
  }

  /// The maximum number of subcommands that an error lists. The help lists more.
  private static let listedMaximum = 12

  /// Returns the candidate with the longest beginning in common with `word`, of two letters or more; `nil` if there
  /// is none, or if several have it.
  private static func alike(_ word: String, among candidates: [String]) -> String? {
    let scored = candidates.map { candidate in
      (word: candidate, length: zip(word, candidate).prefix { $0 == $1 }.count)
    }
    let longest = scored.map(\.length).max() ?? 0
    let best = scored.filter { $0.length == longest }
    return longest >= 2 && best.count == 1 ? best[0].word : nil
  }

  private static func find(
    _ word: String, among subcommands: [any ParsableCommand.Type], after path: String
  ) throws(ControlFailure) -> any ParsableCommand.Type {
    if let found = subcommands.first(where: { words(for: $0).contains(word) }) { return found }
    let names = subcommands.map { $0._commandName }
    // Of two words as similar, the first is suggested, so names precede aliases.
    let aliases = subcommands.flatMap { $0.configuration.aliases }
    let shown = PlainText.clean(word)
    if let near = nearest(to: word, among: names + aliases) ?? alike(word, among: names) {
      throw .usage("“\(shown)” is not a subcommand of \(path). Did you mean “\(near)”?")
    }
    guard names.count <= listedMaximum else {
      throw .usage("“\(shown)” is not a subcommand of \(path).")
    }
    throw .usage(
      "“\(shown)” is not a subcommand of \(path). Subcommands: \(names.joined(separator: ", ")).")
  }

  /// Returns the number of letters to replace, insert, delete or swap with a neighbor.
  private static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1..<(left.count + 1) {
      var current = [row]
      for column in 1..<(right.count + 1) {
        let isSame = left[row - 1] == right[column - 1]
        var best = min(
          last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          best = min(best, beforeLast[column - 2] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
