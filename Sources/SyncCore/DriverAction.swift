import Records

/// An action that the sync machine requires of the device's driver.
package enum DriverAction: Hashable, Sendable {
  /// Open a connection to the broker. `connected` or `disconnected` reports the result.
  case connect
  /// Send this message. Its answer carries `id` as `replyTo`.
  case send(id: UInt64, ClientMessage)
  /// Close the connection and discard what was to be sent on it. `disconnected` is not called for it.
  case disconnect
  /// Call `fired` with this timer after this time, instead of at the time that was set before.
  case wait(SyncTimer, milliseconds: Int)
  /// The phase is a new one.
  case phaseChanged(Phase)
  /// The broker answers faster, slower or no longer.
  case responsivenessChanged(Responsiveness)
  /// The wait that `synchronize(id)` began is over: everything was sent, and everything that was committed before was
  /// read.
  case synchronized(id: UInt64)
  /// The question that `ask(_:id:)` began is answered. `isWhole` is `false` if the broker may have more than is stored
  /// now.
  case answered(id: UInt64, isWhole: Bool)
  /// The request that `give(_:id:)` began is answered.
  case ordered(id: UInt64, OrderAnswer)
  /// Read or write a file.
  case file(FileAction)
  /// The broker does not have this file. All waits for it end with the error.
  case assetLost(AssetDigest, RecordsError)
  /// A reading of the public database begins.
  case publicReadingBegan
  /// The reading ended.
  case publicReadingEnded(PublicDatabaseSync.Outcome)
  /// Write this line to the log, without personal data.
  case report(String)
}

/// An action of the driver on the disk. It may take long, so the driver performs it apart from the replica,
/// and calls the replica with the result. Results of an earlier connection are discarded, except `arrived`.
package enum FileAction: Hashable, Sendable {
  /// Read a chunk of this file and send it as an `assetPiece` under the correlation number; or call
  /// `unreadable`.
  case send(id: UInt64, Asset, offset: Int, byteCount: Int)
  /// Open this file to continue an earlier download. Call `reached` with its length so far; or `arrived` if it
  /// is complete; or `failed`.
  case open(Asset)
  /// Append the chunk to this file and call `reached`; or `arrived` once the file is complete, verified against
  /// its digest and durable; or `failed`.
  case append(Asset, AssetPiece)
}
