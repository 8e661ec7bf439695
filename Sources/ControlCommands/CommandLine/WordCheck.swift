// A mistyped verb is answered with the nearest right one. The parser does this for flags; for
// words it would speak of an unexpected argument.

import ArgumentParser

/// Checks the words that choose a verb.
enum WordCheck {
  /// Refuses a first word that is no verb, and a second one that is none of its verb's own.
  static func check(_ arguments: [String]) throws(ControlFailure) {
    if arguments.first == "help" { return try check(Array(arguments.dropFirst())) }
    guard let word = arguments.first, !word.hasPrefix("-") else { return }
    let verb = try find(word, among: Contactsctl.verbs, after: "contactsctl")
    let inner = verb.configuration.subcommands
    guard !inner.isEmpty, arguments.count > 1, !arguments[1].hasPrefix("-"),
      // What is no verb of its own is what the usual one is about.
      verb.configuration.defaultSubcommand == nil
    else { return }
    _ = try find(arguments[1], among: inner, after: "contactsctl \(word)")
  }

  /// The verb, and the verb within it, that `arguments` name; empty for none.
  static func path(of arguments: [String]) -> String {
    guard let word = arguments.first,
      let verb = Contactsctl.verbs.first(where: { $0._commandName == word })
    else { return "" }
    let inner = verb.configuration.subcommands.map { $0._commandName }
    guard arguments.count > 1, inner.contains(arguments[1]) else { return word }
    return "\(word) \(arguments[1])"
  }

  /// The word of `candidates` that `word` most likely stands for; `nil` when none is near.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let scored = candidates.map { (word: $0, distance: distance(word, $0)) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    let isNear = best.distance <= max(1, min(word.count, best.word.count) / 3)
    return isNear || best.word.hasPrefix(word) ? best.word : nil
  }

  private static func find(
    _ word: String, among verbs: [any ParsableCommand.Type], after path: String
  ) throws(ControlFailure) -> any ParsableCommand.Type {
    let names = verbs.map { $0._commandName }
    if let index = names.firstIndex(of: word) { return verbs[index] }
    let shown = PlainText.clean(word)
    if let near = nearest(to: word, among: names) {
      throw .usage("“\(shown)” is not a subcommand of \(path). Did you mean “\(near)”?")
    }
    throw .usage(
      "“\(shown)” is not a subcommand of \(path). Subcommands: \(names.joined(separator: ", ")).")
  }

  /// How many letters have to be changed, added, dropped or swapped with their neighbour.
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
