// What is printed.

import Foundation

/// The bench's output.
enum Output {
  /// Prints a line.
  static func line(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
