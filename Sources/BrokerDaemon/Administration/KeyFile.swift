// A file with a device's new key, which only its owner can read.

import DaemonKit
import Records
import WholeFiles

/// A file for a device's new key. It appears under its name only when it is complete.
struct KeyFile {
  private let path: String
  private let file: WholeFile

  /// Creates the file.
  /// - Throws: `DaemonError` `cannotCreate` if that is not possible.
  init(path: String) throws(DaemonError) {
    self.path = path
    do {
      file = try WholeFile(at: path)
    } catch {
      throw DaemonError(
        .cannotCreate, "Cannot create “\(path)”: \(error).", hint: "Nothing was changed.")
    }
  }

  /// Writes the key and gives the file its name.
  /// - Throws: `DaemonError` `inputOutput`. The device's key was replaced by then, and the new key is lost.
  func finish(_ key: DeviceKey) throws(DaemonError) {
    do {
      try file.write(Array("\(key.text)\n".utf8))
      try file.finish()
    } catch {
      throw DaemonError(
        .inputOutput, "Cannot write “\(path)”: \(error).",
        hint: "The old key no longer works, and the new one is lost. Run rotate-key again.")
    }
  }

  /// Deletes the incomplete file.
  func discard() { file.discard() }
}
