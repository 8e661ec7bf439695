// The parser of the whole command line first examines all subcommands, reads the global flags once for the root and
// once for the subcommand, and looks for a flag that prints a completion script. That takes three times as long as
// reading the flags of one subcommand.

import ArgumentParser

/// Parses command lines with the parser of their subcommand alone.
enum LeafParser {
  /// A subcommand as the root of a command line.
  private struct Root<Subcommand: ControlCommand>: AsyncParsableCommand {
    // NB: a command with a super-command has no flag for completion scripts. The name is not printed. A request for help
    // is an error here, so that the parser of the whole command line gets it.
    static var configuration: CommandConfiguration {
      CommandConfiguration(_superCommandName: "contactsctl", helpNames: [])
    }

    @OptionGroup var subcommand: Subcommand
  }

  /// Returns the subcommand; `nil` if the line needs the parser of the whole command line, which reports errors and
  /// requests for help with the names of all subcommands before them.
  /// - Parameter arguments: A command line with its global flags at the end.
  static func parse(_ arguments: [String]) async -> (any ControlCommand)? {
    guard let (subcommand, rest) = leaf(arguments) else { return nil }
    return await parse(rest, as: subcommand)
  }

  private static func parse<Subcommand: ControlCommand>(
    _ arguments: [String], as subcommand: Subcommand.Type
  ) async -> (any ControlCommand)? {
    let root = try? await Root<Subcommand>.asyncParseAsRoot(arguments)
    return (root as? Root<Subcommand>)?.subcommand
  }

  /// Returns the subcommand that `arguments` begin with and that has no subcommands itself, and its arguments.
  static func leaf(
    _ arguments: [String]
  ) -> (any ControlCommand.Type, rest: [String])? {
    var candidates = Contactsctl.subcommands
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard let found = candidates.first(where: { WordCheck.words(for: $0).contains(word) }) else {
        return nil
      }
      candidates = found.configuration.subcommands
      if candidates.isEmpty {
        return (found as? any ControlCommand.Type).map { ($0, Array(rest)) }
      }
    }
    return nil
  }
}
