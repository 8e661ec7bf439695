// People write `contactsctl --json list` and `contactsctl list --json` alike. Flags that mean the
// same for every verb are moved behind the words, before a `--` if there is one, so that one place
// reads them. An option's own value never looks like a flag, so nothing else can be caught.

/// Moves global flags to where they are read.
enum GlobalFlagPlacement {
  private static let flags: Set = [
    "--json", "--plain", "--no-color", "--no-input", "-q", "--quiet",
  ]
  private static let options: Set = ["--agent", "--device"]

  /// The arguments with the global flags behind all others; unchanged when no verb is named.
  static func placing(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var words: [String] = []
    var moved: [String] = []
    var index = arguments.startIndex
    while index < end {
      let argument = arguments[index]
      index += 1
      if flags.contains(argument) || options.contains(where: { argument.hasPrefix($0 + "=") }) {
        moved.append(argument)
      } else if options.contains(argument) {
        moved.append(argument)
        if index < end {
          moved.append(arguments[index])
          index += 1
        }
      } else {
        words.append(argument)
      }
    }
    guard words.contains(where: { !$0.hasPrefix("-") }) else { return arguments }
    return words.map(completed) + moved + arguments[end...]
  }

  /// `--wait` may stand without its value, which the parser does not know of options.
  private static func completed(_ word: String) -> String {
    word == "--wait" ? "--wait=30" : word
  }
}
