// What becomes of a request that the store could not carry out. The client gets one plain sentence.
// What the database said is for the broker's log: it names tables, columns and paths, which are no
// business of a client.

import BrokerCore
import Records
import SQLiteFile

/// Takes an error of the store for the broker's log, on the thread that met it.
package typealias FailureReport = @Sendable (any Error) -> Void

extension RecordsError {
  /// The error that a client gets for an internal error of the store.
  static var failed: RecordsError {
    RecordsError(
      .internalError, "The broker could not carry this out; its log says why.",
      hint: "Ask its administrator.")
  }

  /// The error that a client gets while the broker's disk cannot be written.
  static var unwritable: RecordsError {
    RecordsError(
      .serviceUnavailable, "The broker cannot write to its disk now; its log says why.",
      hint: "The request is kept and sent again.", retryAfterSeconds: 5)
  }

  /// The error that a client gets while the last free bytes of the broker's disk are kept for reading and
  /// deleting.
  static var diskIsFull: RecordsError {
    RecordsError(
      .serviceUnavailable, "The broker's disk is full. It accepts deletions, but no saves.",
      hint: "The request is kept and sent again. Ask the broker's administrator.",
      retryAfterSeconds: 30)
  }

  /// The error that a client gets for `error`, which a write threw.
  init(writing error: any Error) {
    let known = error as? RecordsError
    if let known, known.code != .internalError {
      self = known
    } else if (error as? StoreError)?.kind.mayPass == true {
      self = .unwritable
    } else {
      self = .failed
      reason = known?.reason
    }
  }
}

extension StorageRequest {
  /// The result of this request where it came to nothing but `error`.
  func failed(_ error: RecordsError) -> StorageResult {
    switch self {
    case .signIn(let connection, _): .refused(connection, error)
    case .modify(let connection, let replyTo, _, _, let byteCount):
      .modifyRefused(connection, replyTo: replyTo, error, byteCount: byteCount)
    case .acknowledge(let connection, _, _): .acknowledged(connection)
    case .attach(let connection, _, _): .refused(connection, error)
    case .offerAsset(let connection, let replyTo, _, let asset):
      .assetOffered(connection, replyTo: replyTo, asset, .failed(error))
    case .keepAsset(let connection, let replyTo, let id, _):
      .assetKept(connection, replyTo: replyTo, id, error)
    case .noteAssets: .notedAssets(lost: 0, found: [])
    case .saveSubscription(let connection, let replyTo, _, _, let byteCount):
      .refused(connection, replyTo, error, byteCount: byteCount)
    case .deleteSubscription(let connection, let replyTo, _, _),
      .followNotifications(let connection, let replyTo, _, _):
      .refused(connection, replyTo, error)
    case .sweepNotifications: .sweptNotifications(nil)
    case .removeLeft: .removedLeft(nil)
    case .reapCascades: .reapedCascades(nil)
    case .runErrands: .ranErrands(nil)
    case .share(let connection, let replyTo, let identity, let order, _):
      .shared(
        connection, replyTo: replyTo, identity, wasTry: order.isTry,
        ShareOutcome(.failure(error), zone: nil))
    case .account(let connection, let replyTo, _, _): .refused(connection, replyTo, error)
    case .administer(let connection, let replyTo, _):
      .administered(connection, replyTo: replyTo, .failure(error))
    }
  }
}

extension StorageResult {
  /// An answer that is an error and changed nothing.
  static func refused(
    _ connection: ConnectionID, _ replyTo: UInt64, _ error: RecordsError, byteCount: Int = 0
  ) -> Self {
    .answered(connection, replyTo: replyTo, .error(error), CommitEffects(), byteCount: byteCount)
  }
}
