import FoundationEssentials
import Glibc

/// The default paths of a program's files: those that systemd assigns to a unit, else those of the XDG base
/// directory specification.
package struct StandardPaths: Sendable {
  private let program: String
  private let instance: String?
  private let environment: [String: String]

  /// Creates the paths of `program`, or of one of its named instances (`contactsd-phone`).
  package init(
    program: String, instance: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.program = program
    self.instance = instance
    self.environment = environment.filter { !$0.value.isEmpty }
  }

  /// Returns `$STATE_DIRECTORY`, else `$XDG_STATE_HOME/PROGRAM[-INSTANCE]`, where `XDG_STATE_HOME` defaults
  /// to `~/.local/state`.
  /// - Throws: `configuration` if the environment names no home directory either.
  package func stateDirectory() throws(DaemonError) -> String {
    if let directory = first(of: "STATE_DIRECTORY") { return directory }
    let name = instance.map { "\(program)-\($0)" } ?? program
    if let home = absolute("XDG_STATE_HOME") { return "\(home)/\(name)" }
    guard let home = absolute("HOME") else {
      throw DaemonError(
        .configuration, "No default state directory: neither XDG_STATE_HOME nor HOME is set.",
        hint: "Choose a directory with --state.")
    }
    return "\(home)/.local/state/\(name)"
  }

  /// Returns `$RUNTIME_DIRECTORY/FILE`, else `$XDG_RUNTIME_DIR/PROGRAM/FILE`, where `XDG_RUNTIME_DIR`
  /// defaults to `/run/user/UID`. The file of an instance is `INSTANCE.sock`.
  package func socket(_ file: String) -> String {
    let name = instance.map { "\($0).sock" } ?? file
    if let directory = first(of: "RUNTIME_DIRECTORY") { return "\(directory)/\(name)" }
    return userSocket(name)
  }

  /// Returns the socket of the program that this user runs, `$XDG_RUNTIME_DIR/PROGRAM/FILE`, also in the unit of
  /// another program.
  package func userSocket(_ file: String) -> String {
    "\(absolute("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())")/\(program)/\(file)"
  }

  /// Returns `$XDG_CONFIG_HOME/contacts/PROGRAM.conf`, where `XDG_CONFIG_HOME` defaults to `~/.config`;
  /// `nil` if there is no home directory or no such file.
  package func configurationFile() -> String? {
    let directory = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { "\($0)/.config" }
    guard let path = directory.map({ "\($0)/contacts/\(program).conf" }) else { return nil }
    return access(path, F_OK) == 0 ? path : nil
  }

  // systemd separates several directories by colons.
  private func first(of variable: String) -> String? {
    environment[variable]?.split(separator: ":").first.map(String.init)
  }

  // The XDG specification requires relative paths to be ignored.
  private func absolute(_ variable: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
