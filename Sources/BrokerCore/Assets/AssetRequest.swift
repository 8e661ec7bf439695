// What the broker asks of the thread that has the files. It is a thread of its own: a file of fifty
// megabytes on its way to the disk holds up neither commits nor those who read records.

import Records

/// A file that a device is sending.
package struct UploadID: Hashable, Sendable {
  /// The application's namespace.
  package let container: StoreKey
  /// The account it will belong to.
  package let account: StoreKey
  /// The device that sends it.
  package let device: StoreKey
  /// The file.
  package let digest: AssetDigest

  /// Names what a device of an account sends.
  package init(
    _ digest: AssetDigest, container: StoreKey, account: StoreKey, device: StoreKey
  ) {
    self.container = container
    self.account = account
    self.device = device
    self.digest = digest
  }

  /// Names what `identity` sends.
  package init(_ digest: AssetDigest, of identity: SessionIdentity) {
    container = identity.container
    account = identity.accountKey
    device = identity.deviceKey
    self.digest = digest
  }
}

/// A request for the thread that has the files. Those of one account are carried out in order.
package enum AssetRequest: Sendable {
  /// Begin to take a file in, or go on where an earlier attempt ended.
  case open(ConnectionID, replyTo: UInt64, UploadID, Asset)
  /// Append a piece, which begins where the last one ended; with the last piece, compare the whole
  /// with its digest and give it its name.
  case append(ConnectionID, replyTo: UInt64, UploadID, Asset, AssetPiece)
  /// Nothing more comes for now; what there is is kept.
  case close(UploadID)
  /// The file's row is entered, or will not be: it may be collected again like any other.
  case settle(AssetDigest)
  /// Read a piece for somebody who may read the zone.
  case read(ConnectionID, replyTo: UInt64, SessionIdentity, AssetFetch)

  /// No account: what the broker does with files of its own accord takes turns with accounts.
  package static let broker: StoreKey = 0

  /// The account whose turn it takes.
  package var account: StoreKey {
    switch self {
    case .open(_, _, let id, _), .append(_, _, let id, _, _), .close(let id): id.account
    case .settle: Self.broker
    case .read(_, _, let identity, _): identity.accountKey
    }
  }
}

/// What came of a request to the thread that has the files.
package enum AssetResult: Sendable {
  /// So many bytes are there; `weight` is what the piece weighed in the queue.
  case waiting(ConnectionID, replyTo: UInt64, UploadID, offset: Int, weight: Int)
  /// The file is whole and on the disk, and has to be entered.
  case completed(ConnectionID, replyTo: UInt64, UploadID, Asset, weight: Int)
  /// The file cannot be taken in.
  case failed(ConnectionID, replyTo: UInt64, UploadID, RecordsError, weight: Int)
  /// A piece.
  case piece(ConnectionID, replyTo: UInt64, AssetPiece)
  /// The piece cannot be had.
  case unreadable(ConnectionID, replyTo: UInt64, RecordsError)
  /// The piece cannot be had because the broker has lost the file; `isNews` if that was not known.
  case lost(ConnectionID, replyTo: UInt64, AssetDigest, RecordsError, isNews: Bool)
  /// Some files were compared with their names: these are gone or damaged, those are there again.
  case compared(lost: [AssetDigest], found: [AssetDigest])
}

/// What the store says to an offer.
package enum AssetOffer: Sendable {
  /// The account has the file.
  case held
  /// The account does not have it; its assets weigh so much.
  case wanted(chargedBytes: Int)
  /// The store could not say.
  case failed(RecordsError)
}
