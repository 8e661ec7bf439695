import Records
import SQLiteFile

/// A store that was copied to another place and may serve no longer. Its database has another name, so that it can be
/// brought back.
package enum SealedStore {
  /// The name of the sealed database of the one at `path`.
  package static func path(of path: String) -> String { "\(path).moved" }

  /// - Throws: `foreign` if the store at `path` is sealed and there is no other.
  package static func check(_ path: String) throws(StoreError) {
    let sealed = Self.path(of: path)
    guard !SQLiteFile.hasContent(path), SQLiteFile.hasContent(sealed) else { return }
    throw StoreError(
      .foreign,
      "The broker's records were copied to another store, and the database here was renamed to \(sealed): "
        + "let the broker use that store, or rename the file to \(path) to serve from it again.")
  }
}
