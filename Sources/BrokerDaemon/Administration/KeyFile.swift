// A device's new key on its way to whoever carries it there: in a file that only its owner may read.

import DaemonKit
import Records
import WholeFiles

/// The file of a key.
struct KeyFile {
  private let path: String
  private let file: WholeFile

  /// Begins the file.
  /// - Throws: `DaemonError` `cannotCreate` where nothing may be written.
  init(path: String) throws(DaemonError) {
    self.path = path
    do {
      file = try WholeFile(at: path)
    } catch {
      throw DaemonError(
        .cannotCreate, "“\(path)” cannot be made: \(error).", hint: "Nothing was changed.")
    }
  }

  /// Puts the key in it.
  /// - Throws: `DaemonError` `inputOutput`: the device has another key now, which nobody knows.
  func finish(_ key: DeviceKey) throws(DaemonError) {
    do {
      try file.write(Array("\(key.text)\n".utf8))
      try file.finish()
    } catch {
      throw DaemonError(
        .inputOutput, "“\(path)” cannot be written: \(error).",
        hint: "The former key is refused already; make another key.")
    }
  }

  /// Leaves nothing behind.
  func discard() { file.discard() }
}
