// The file an editor gets: only its owner can read it, it has a name editors know as YAML, and it
// goes when it is no longer needed – but not while it holds something a person typed and nobody
// has saved.

import Foundation
import Records

/// A temporary file for an editor.
struct EditorFile {
  /// Where it is.
  let path: String

  /// Makes an empty file.
  /// - Throws: `cannotCreate`.
  init(environment: [String: String]) throws(ControlFailure) {
    let directory = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(directory)/contact-XXXXXX.yaml".utf8CString)
    // mkstemps gives it mode 0600.
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

  /// Puts `text` into it.
  func write(_ text: String) throws(ControlFailure) {
    do {
      // In place: a file that takes its place would have another mode.
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      defer { try? file.close() }
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      throw .inputOutput("\(path) cannot be written: \(Self.sentence(on: error)).")
    }
  }

  /// What is in it; `nil` when it is gone.
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
