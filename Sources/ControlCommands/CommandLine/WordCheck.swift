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
      // With a default subcommand, other words are its arguments.
      subcommand.configuration.defaultSubcommand == nil
    else { return }
    _ = try find(arguments[1], among: inner, after: "contactsctl \(word)")
  }

  /// Returns the subcommand, and the one within it, in `arguments`; empty for none.
  static func path(of arguments: [String]) -> String {
    guard let word = arguments.first,
      let subcommand = Contactsctl.subcommands.first(where: { $0._commandName == word })
    else { return "" }
    let inner = subcommand.configuration.subcommands.map { $0._commandName }
    guard arguments.count > 1, inner.contains(arguments[1]) else { return word }
    return "\(word) \(arguments[1])"
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

  private static func find(
    _ word: String, among subcommands: [any ParsableCommand.Type], after path: String
  ) throws(ControlFailure) -> any ParsableCommand.Type {
    let names = subcommands.map { $0._commandName }
    if let index = names.firstIndex(of: word) { return subcommands[index] }
    let shown = PlainText.clean(word)
    if let near = nearest(to: word, among: names) {
      throw .usage("“\(shown)” is not a subcommand of \(path). Did you mean “\(near)”?")
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
