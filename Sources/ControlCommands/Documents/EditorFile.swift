// A temporary file for an editor. Only its owner can read it, and its name ends in `.yaml` for the editor. It
// is removed when it is no longer needed, but not while it contains unsaved edits.

import Foundation
import Records

/// A temporary file for an editor.
struct EditorFile {
  /// Its path.
  let path: String

  /// Creates an empty file.
  /// - Throws: `cannotCreate`.
  init(environment: [String: String]) throws(ControlFailure) {
    let directory = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(directory)/contact-XXXXXX.yaml".utf8CString)
    // mkstemps creates it with mode 0600.
    let descriptor = mkstemps(&template, 5)
    guard descriptor >= 0 else {
      throw ControlFailure(
        code: "cannotCreate",
        message: "Cannot create a file in \(directory): \(String(cString: strerror(errno))).",
        hint: "Set TMPDIR to another directory.", exitCode: .cannotCreate)
    }
    close(descriptor)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Replaces its content by `text`.
  func write(_ text: String) throws(ControlFailure) {
    do {
      // In place, because a replacement file would have another mode.
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      defer { try? file.close() }
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      throw .inputOutput("\(path) cannot be written: \(Self.sentence(on: error)).")
    }
  }

  /// Returns its content; `nil` if the file does not exist.
  func read() throws(ControlFailure) -> String? {
    guard access(path, F_OK) == 0 else { return nil }
    return try InputFile.text(at: path)
  }

  /// Removes it.
  func remove() { unlink(path) }

  private static func sentence(on error: any Error) -> String {
    (error as NSError).localizedDescription
  }
}

extension ControlFailure {
  /// Reading or writing failed.
  static func inputOutput(_ message: String) -> Self {
    Self(code: "inputOutput", message: message, hint: "", exitCode: .inputOutput)
  }
}
