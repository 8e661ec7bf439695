import Records

/// The complete asset files of a broker, on its disk or in its database. The functions block; do not call them on an
/// event loop.
package protocol CompleteFiles: Sendable {
  /// The files that must not be deleted.
  var pins: AssetPins { get }

  /// The number of free bytes on this machine's disk that holds the files; `nil` if it is unknown, or if they are on
  /// another machine.
  var freeBytes: Int? { get }

  /// Returns what a log calls the file: its path, or its place in the database.
  func logName(of digest: AssetDigest) -> String

  // MARK: Reading

  /// Whether the asset's file exists and has the right length. Does not read the content.
  func holds(_ asset: Asset) throws -> Bool

  /// Opens an asset's file.
  /// - Parameter verified: The file whose whole content was verified before. If it is still the same, it is not read
  ///   again.
  /// - Throws: `assetNotAvailable` if there is no such file, or, with the reason `damaged`, if the content is known not
  ///   to match; `StoreError` if the disk or the database fails.
  func open(_ digest: AssetDigest, verified: FileIdentity?) throws -> any AssetContent

  /// Reads the whole content and compares it with the digest.
  /// - Throws: As `open(_:verified:)`.
  func verify(_ digest: AssetDigest) throws

  // MARK: Writing

  /// Makes a complete part the asset's file, durably, and pins the file. Call `unpin(_:)` after the row that refers to
  /// it is inserted, or when none will be.
  /// - Throws: `invalidArguments` with the reason `wrongDigest` if the content does not match the asset; the part is
  ///   deleted then. `StoreError` if the disk or the database fails. After an error the file is not pinned.
  func publish(_ part: AssetPart, as asset: Asset) throws

  /// Writes a file, durably, and pins it. Call `unpin(_:)` as after `publish(_:as:)`.
  /// - Parameter read: Returns that many bytes of the content at an offset; fewer only at the end.
  /// - Throws: As `publish(_:as:)`, and what `read` throws. After an error the file is not pinned.
  func add(_ asset: Asset, read: (_ offset: Int, _ count: Int) throws -> [UInt8]) throws

  // MARK: Removing

  /// Deletes those files that are not pinned. No row may refer to them. Call it on the thread that deletes rows, before
  /// the next transaction begins.
  func remove(_ digests: [AssetDigest]) throws(StoreError)

  /// Returns the digests of the unpinned files, complete or not, whose first byte is `index`, for the check at start
  /// that deletes unused files.
  ///
  /// A file is pinned before it is written. A file returned here therefore has its row already, or will never have
  /// one. Read the rows after this call, and pin no file in between.
  func unpinned(inDirectory index: UInt8) throws -> [AssetDigest]
}

extension CompleteFiles {
  /// Prevents the deletion of a file until `unpin(_:)` was called as often.
  package func pin(_ digest: AssetDigest) { pins.add(digest) }

  /// Removes one pin of a file.
  package func unpin(_ digest: AssetDigest) { pins.remove(digest) }
}
