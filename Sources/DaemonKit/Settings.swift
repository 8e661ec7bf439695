// A daemon's settings. Flags override environment variables, which override the configuration file, which
// overrides defaults. The file has one `key = value` per line. Unknown keys and malformed lines are errors.

import ByteCounts
import FoundationEssentials
import Glibc

/// The settings of one program, by key.
package struct Settings: Sendable {
  /// The maximum size of a configuration file.
  static let fileBytesMaximum = 64 << 10

  private let flags: [String: String]
  private let written: [String: String]
  private let environment: [String: String]
  private let program: String

  /// Reads the settings from all sources.
  ///
  /// - Parameters:
  ///   - program: The program's name, such as `contactsd`. Its environment variables begin with
  ///     `CONTACTSD_`, and the setting `maySpeakFor` is `CONTACTSD_MAY_SPEAK_FOR` there. Empty variables
  ///     count as not set.
  ///   - keys: The keys that the file may contain.
  ///   - flags: The values from the command line, by key.
  ///   - file: The path of the configuration file; `nil` for the user's own file, if it exists.
  ///   - environment: The environment variables.
  /// - Throws: `configuration` if the file cannot be read or contains an invalid line.
  package init(
    program: String, keys: [String], flags: [String: String], file: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(DaemonError) {
    let paths = StandardPaths(program: program, environment: environment)
    var written: [String: String] = [:]
    if let file = file ?? paths.configurationFile() {
      written = try Self.values(in: Self.contents(of: file), file: file, keys: keys)
    }
    self.flags = flags
    self.written = written
    self.program = program
    self.environment = environment
  }

  /// Returns the first of the environment variables `names` that is set and not empty. The names are used
  /// without the program's prefix, for variables of the user's session.
  package func variable(among names: [String]) -> String? {
    names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }

  /// Returns the text of a setting; `nil` if it is not set.
  package func text(_ key: String) -> String? {
    flags[key] ?? variable(of: key) ?? written[key]
  }

  /// Returns the uids of a setting that lists users by number or name, separated by commas; empty if it is
  /// not set. Looking up names can block on a name service, so do not call it on an event loop.
  /// - Throws: `configuration` if an element is neither a number nor a user of this machine.
  package func users(_ key: String) throws(DaemonError) -> [UInt32] {
    var users: [UInt32] = []
    for part in (text(key) ?? "").split(separator: ",") {
      let name = trimmed(part)
      guard let user = UInt32(name) ?? UserTable.number(of: name) else {
        throw DaemonError(
          .configuration,
          "The setting “\(key)” names “\(name)”, which is not a user of this machine.",
          hint: "Write the names or uids of users, separated by commas.")
      }
      users.append(user)
    }
    return users
  }

  /// Returns the value of a setting that accepts a fixed set of words; `nil` if it is not set.
  /// - Throws: `configuration` for any other word; the message lists the valid ones.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of _: Choice.Type = Choice.self
  ) throws(DaemonError) -> Choice? {
    guard let word = text(key) else { return nil }
    guard let choice = Choice(rawValue: word) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw DaemonError(
        .configuration, "Invalid value “\(word)” for “\(key)”: expected one of: \(words).")
    }
    return choice
  }

  private func variable(of key: String) -> String? {
    let words = key.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    let prefix = program.uppercased().replacing("-", with: "_")
    return environment["\(prefix)_\(words)"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func contents(of file: String) throws(DaemonError) -> String {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    var bytes = [UInt8](repeating: 0, count: fileBytesMaximum + 1)
    let count = descriptor < 0 ? -1 : read(descriptor, &bytes, bytes.count)
    let text = systemText(errno)
    if descriptor >= 0 { close(descriptor) }
    guard count >= 0 else {
      throw DaemonError(
        .configuration, "Cannot read the configuration file “\(file)”: \(text).")
    }
    guard count <= fileBytesMaximum,
      let text = String(validating: bytes.prefix(count), as: UTF8.self)
    else {
      throw DaemonError(
        .configuration,
        "“\(file)” is not a configuration file: expected UTF-8 text of at most "
          + "\(ByteCount(fileBytesMaximum).limit).")
    }
    return text
  }

  static func values(
    in text: String, file: String, keys: [String]
  ) throws(DaemonError) -> [String: String] {
    var values: [String: String] = [:]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let place = "“\(file)”, line \(index + 1)"
      guard parts.count == 2 else {
        throw DaemonError(.configuration, "\(place): “\(line)” is not of the form key = value.")
      }
      let key = trimmed(parts[0])
      guard keys.contains(key) else {
        let known = keys.sorted().joined(separator: ", ")
        throw DaemonError(
          .configuration, "\(place): unknown setting “\(key)”.", hint: "The settings are: \(known)."
        )
      }
      guard values.updateValue(trimmed(parts[1]), forKey: key) == nil else {
        throw DaemonError(.configuration, "\(place): the setting “\(key)” is repeated.")
      }
    }
    return values
  }
}

private func trimmed(_ text: some StringProtocol) -> String {
  let start = text.drop(while: \.isWhitespace)
  let blanks = start.reversed().prefix(while: \.isWhitespace).count
  return String(start.dropLast(blanks))
}
