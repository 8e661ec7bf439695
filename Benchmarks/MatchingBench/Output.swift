import Foundation

/// The program's standard output.
enum Output {
  /// Writes a line without buffering.
  static func line(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
