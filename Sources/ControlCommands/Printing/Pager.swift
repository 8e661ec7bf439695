// Shows a text that is longer than the screen in the user's pager, as git and journalctl do: less exits if
// the text fits, colors are preserved, and leaving the pager ends the command.

/// Shows a long text.
enum Pager {
  /// `less` if it is installed.
  private static let usual = "command -v less >/dev/null 2>&1 && exec less || exec cat"

  /// Returns the pager command; `nil` if the user wants none (`PAGER=` or `cat`).
  static func command(environment: [String: String]) -> String? {
    let named = environment["CONTACTSCTL_PAGER"] ?? environment["PAGER"]
    guard let named else { return usual }
    return named.isEmpty || named == "cat" ? nil : named
  }

  /// Returns the pager's environment: settings of less that the user has not made are added. The text is UTF-8
  /// in every locale.
  static func variables(environment: [String: String]) -> [String: String] {
    environment.merging(["LESS": "FIRX", "LESSCHARSET": "utf-8"]) { own, _ in own }
  }

  /// Shows `bytes`; returns `false` if no pager could be started and nothing was shown.
  static func show(_ bytes: [UInt8], environment: [String: String]) async -> Bool {
    guard let command = command(environment: environment) else { return false }
    let pager = ExternalProgram(command: command, environment: variables(environment: environment))
    guard let ending = try? await pager.run(input: bytes) else { return false }
    // The shell returns 127 for an unknown command: then nothing was shown.
    return ending != .exited(127)
  }
}
