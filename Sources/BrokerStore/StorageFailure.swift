// The errors that clients get for requests that the store could not carry out. The database's own message
// goes to the broker's log only, because it names tables, columns and paths.

import BrokerCore
import Records
import SQLiteFile

/// Receives an error of the store for the broker's log, on the thread where it happened.
package typealias FailureReport = @Sendable (any Error) -> Void

extension RecordsError {
  /// The error that a client gets for an internal error of the store.
  static var failed: RecordsError {
    RecordsError(
      .internalError, "The broker failed to process the request.",
      hint: "Ask its administrator. The broker's log has the reason.")
  }

  /// The error that a client gets while the broker's disk cannot be written.
  static var unwritable: RecordsError {
    RecordsError(
      .serviceUnavailable, "The broker cannot write to its disk. Its log has the reason.",
      hint: "The device sends the request again.", retryAfterSeconds: 5)
  }

  /// The error that a client gets while the broker's database does not answer.
  static var unreachable: RecordsError {
    RecordsError(
      .serviceUnavailable, "The broker cannot reach its database. Its log has the reason.",
      hint: "The device sends the request again.", retryAfterSeconds: 5)
  }

  /// The error that a client gets while another program is in the way of the broker.
  static var busy: RecordsError {
    RecordsError(
      .serviceUnavailable, "The broker's database is busy. Its log has the reason.",
      hint: "The device sends the request again.", retryAfterSeconds: 5)
  }

  /// The error that a client gets while the last free bytes of the broker's disk are reserved for reads and
  /// deletions.
  static var diskIsFull: RecordsError {
    RecordsError(
      .serviceUnavailable, "The broker's disk is full. It accepts deletions, but no saves.",
      hint: "The device sends the request again. Ask the broker's administrator to make room.",
      retryAfterSeconds: 30)
  }

  /// The error that a client gets for `error`, which a write threw.
  init(writing error: any Error) {
    if let known = error as? RecordsError, known.code != .internalError {
      self = known
      return
    }
    switch (error as? StoreError)?.kind {
    case .unreachable: self = .unreachable
    case .inUse: self = .busy
    case .full, .disk: self = .unwritable
    case .foreign, .otherVersion, .unreadable, .damaged, .unexpected, nil:
      self = .failed
      reason = (error as? RecordsError)?.reason
    }
  }
}

extension StorageRequest {
  /// Returns the result of the request if it failed with `error`.
  func failed(_ error: RecordsError) -> StorageResult {
    switch self {
    case .signIn(_, let connection): .signedIn(.failure(error), connection)
    case .administer(_, let connection, let replyTo):
      .administered(.failure(error), connection, replyTo: replyTo)
    case .join(_, _, let connection, let replyTo):
      .joined(.failure(error), connection, replyTo: replyTo)
    case .client(let operation, let context): .client(operation.failed(error), context)
    case .recordAssets: .recordedAssets(lost: 0, found: [])
    case .maintain(let step): .maintained(MaintenanceResult(step.job, .failed))
    }
  }
}

extension StorageOperation {
  /// Returns the outcome of the operation if it failed with `error`.
  func failed(_ error: RecordsError) -> StorageOutcome {
    switch self {
    case .acknowledge: .acknowledged
    case .attach: .attached(.failure(error))
    case .offerAsset(let asset): .assetOffered(asset, .failed(error))
    case .registerAsset(_, let id): .assetRegistered(id, error)
    case .share(let request, _):
      .shared(ShareOutcome(.failure(error), zone: nil), isLinkAttempt: request.isTry)
    case .modify, .saveSubscription, .deleteSubscription, .followNotifications, .account, .device:
      .failed(error)
    case .invite: .invited(.failure(error))
    }
  }
}
