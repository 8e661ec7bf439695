/// The version of the three programs, which are released together. `--version` prints it, each
/// program logs it at startup, and `doctor` compares it. Compatibility between peers depends on
/// `ProtocolVersion` instead.
package enum ProgramVersion {
  /// The version in the form of semver.org.
  package static let text = "0.1.0"

  /// Returns the line that a program prints for `--version`.
  package static func line(of program: String) -> String { "\(program) \(text)" }
}
