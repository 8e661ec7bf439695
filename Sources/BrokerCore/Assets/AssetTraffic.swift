import Records

/// The uploads in progress, and the lost files that connections wait for.
struct AssetTraffic: Sendable {
  /// A file that a connection uploads.
  private struct Upload: Sendable {
    let connection: ConnectionID
    let asset: Asset
    /// The offset of the next chunk; `nil` until the asset thread has reported how many bytes are on the
    /// disk.
    var offset: Int?
  }

  private var uploads: [UploadID: Upload] = [:]
  var losses = LostAssets()

  /// Returns the connection of an upload: the one that offered the file last.
  func connection(of id: UploadID) -> ConnectionID? { uploads[id]?.connection }

  /// Returns the number of the account's other uploads in the container, and the bytes of its other uploads
  /// in all containers.
  func others(than id: UploadID) -> (count: Int, byteCount: Int) {
    var (count, byteCount) = (0, 0)
    for (other, upload) in uploads where other.account == id.account && other != id {
      count += other.container == id.container ? 1 : 0
      byteCount += other.digest == id.digest ? 0 : upload.asset.byteCount
    }
    return (count, byteCount)
  }

  mutating func begin(_ id: UploadID, of asset: Asset, on connection: ConnectionID) {
    uploads[id] = Upload(connection: connection, asset: asset)
  }

  /// Sets the offset of an upload's next chunk.
  mutating func resume(_ id: UploadID, at offset: Int) { uploads[id]?.offset = offset }

  /// Removes an upload. Returns its connection.
  mutating func end(_ id: UploadID) -> ConnectionID? {
    uploads.removeValue(forKey: id)?.connection
  }

  /// Checks that a chunk is the next one of its file, and returns the file.
  mutating func accept(
    _ chunk: AssetPiece, of id: UploadID, from connection: ConnectionID
  ) throws(RecordsError) -> Asset {
    guard let upload = uploads[id], upload.connection == connection, let offset = upload.offset
    else {
      throw RecordsError(
        .invalidArguments, "The file \(chunk.digest) was not offered on this connection.",
        hint: "Offer the file first. The answer has the offset to start from.", reason: "notOffered"
      )
    }
    guard chunk.offset == offset else {
      throw RecordsError(
        .invalidArguments,
        "The file chunk is out of order: expected offset \(offset), received \(chunk.offset).",
        hint: "Send the chunks in order, without gaps.", reason: "wrongOffset")
    }
    guard chunk.end <= upload.asset.byteCount else {
      throw RecordsError(
        .invalidArguments,
        "The file chunk ends at \(chunk.end), past the end of the file (\(upload.asset.byteCount)).",
        hint: "Offer the file with its actual size.", reason: "wrongOffset")
    }
    return upload.asset
  }

  /// Removes the uploads of a closed connection and returns them. Their partial files stay on the disk.
  mutating func remove(_ connection: ConnectionID, uploads ids: Set<UploadID>) -> [UploadID] {
    losses.forget(connection)
    for id in ids { uploads[id] = nil }
    return Array(ids)
  }
}
