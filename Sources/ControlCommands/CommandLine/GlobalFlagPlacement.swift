// Allows both `contactsctl --json list` and `contactsctl list --json`. Flags that all subcommands have are
// moved to the end, before a `--` if there is one, where the parser expects them. The value of an option
// never looks like a flag, so nothing else is moved.

/// Moves global flags to the place where they are parsed.
enum GlobalFlagPlacement {
  private static let flags: Set = [
    "--json", "--plain", "--no-color", "--no-input", "-q", "--quiet",
  ]
  private static let options: Set = ["--agent", "--device"]

  /// Returns the arguments with the global flags at the end; unchanged if there is no subcommand.
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

  /// Returns the value of the option `flag`, before the line is parsed; `nil` if it is not given.
  static func value(of flag: String, in words: [String]) -> String? {
    if let index = words.firstIndex(of: flag), index + 1 < words.count { return words[index + 1] }
    return words.first { $0.hasPrefix(flag + "=") }.map { String($0.dropFirst(flag.count + 1)) }
  }

  /// `--wait` may have no value, which the parser does not support for options.
  private static func completed(_ word: String) -> String {
    word == "--wait" ? "--wait=30" : word
  }
}
