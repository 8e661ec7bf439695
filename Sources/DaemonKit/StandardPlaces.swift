// Where a daemon's files lie when nobody says otherwise: where systemd put them for a unit, else
// where the XDG base directory specification puts a user's.

import FoundationEssentials
import Glibc

/// The default places of one program.
package struct StandardPlaces: Sendable {
  private let program: String
  private let instance: String?
  private let environment: [String: String]

  /// The places of `program`, which may have several instances by name (`contactsd-phone`).
  package init(
    program: String, instance: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.program = program
    self.instance = instance
    self.environment = environment.filter { !$0.value.isEmpty }
  }

  /// `$STATE_DIRECTORY`, else `$XDG_STATE_HOME/PROGRAM[-INSTANCE]`, where the former is missing in
  /// `~/.local/state`.
  /// - Throws: `configuration` when there is not even a home.
  package func stateDirectory() throws(DaemonError) -> String {
    if let directory = first(of: "STATE_DIRECTORY") { return directory }
    let name = instance.map { "\(program)-\($0)" } ?? program
    if let home = absolute("XDG_STATE_HOME") { return "\(home)/\(name)" }
    guard let home = absolute("HOME") else {
      throw DaemonError(
        .configuration, "There is no place for the state: neither XDG_STATE_HOME nor HOME is set.",
        hint: "Choose one with --state.")
    }
    return "\(home)/.local/state/\(name)"
  }

  /// `$RUNTIME_DIRECTORY/FILE`, else `$XDG_RUNTIME_DIR/PROGRAM/FILE`, where the former is missing
  /// in `/run/user/UID`. An instance's file is `INSTANCE.sock`.
  package func socket(_ file: String) -> String {
    let name = instance.map { "\($0).sock" } ?? file
    if let directory = first(of: "RUNTIME_DIRECTORY") { return "\(directory)/\(name)" }
    return "\(absolute("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())")/\(program)/\(name)"
  }

  /// `$XDG_CONFIG_HOME/contacts/PROGRAM.conf`, where the former is missing in `~/.config`; `nil`
  /// without a home or if there is no such file.
  package func configurationFile() -> String? {
    let directory = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { "\($0)/.config" }
    guard let path = directory.map({ "\($0)/contacts/\(program).conf" }) else { return nil }
    return access(path, F_OK) == 0 ? path : nil
  }

  // systemd gives several directories as a list.
  private func first(of variable: String) -> String? {
    environment[variable]?.split(separator: ":").first.map(String.init)
  }

  // The specification has relative paths ignored.
  private func absolute(_ variable: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
