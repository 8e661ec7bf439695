// Numbers of events, notifications and actions on the command line.

import ArgumentParser

/// The range of sequence numbers.
enum SequenceArgument {
  /// The largest number that the agent accepts.
  static let maximum: Int64 = (1 << 53) - 1

  /// Rejects a number outside the range.
  /// - Throws: `ValidationError`.
  static func check(_ number: Int64?, name: String) throws {
    guard let number, !(0...maximum).contains(number) else { return }
    throw ValidationError("\(name) must be a number from 0 to \(maximum).")
  }
}
