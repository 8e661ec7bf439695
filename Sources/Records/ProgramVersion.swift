// The three programs are made and released together, so they have one version: what `--version`
// prints, what each says when it starts, and what doctor compares. It rises with a release; what a
// peer of another version may say is ProtocolVersion's business.

/// The version of the programs.
package enum ProgramVersion {
  /// Three numbers with points between, as semver.org has them.
  package static let text = "0.1.0"

  /// The line a program prints for `--version`.
  package static func line(of program: String) -> String { "\(program) \(text)" }
}
