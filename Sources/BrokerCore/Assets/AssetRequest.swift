import Records

/// Identifies an upload: a file that a device of an account sends.
package struct UploadID: Hashable, Sendable {
  /// The row of the application's namespace.
  package let container: StoreKey
  /// The row of the account.
  package let account: StoreKey
  /// The row of the device.
  package let device: StoreKey
  /// The file.
  package let digest: AssetDigest

  package init(
    _ digest: AssetDigest, container: StoreKey, account: StoreKey, device: StoreKey
  ) {
    self.container = container
    self.account = account
    self.device = device
    self.digest = digest
  }

  /// Creates the id of an upload by a signed-in device.
  package init(_ digest: AssetDigest, of identity: SessionIdentity) {
    self.init(
      digest, container: identity.container, account: identity.accountKey,
      device: identity.deviceKey)
  }
}

/// A request for the asset thread, which alone touches the files. A file of fifty megabytes on its way to
/// the disk delays neither commits nor reads of records. Requests of one account are carried out in order.
package enum AssetRequest: Sendable {
  /// Begin an upload, or continue where an earlier one ended.
  case open(UploadID, Asset, RequestContext)
  /// Append a chunk, which begins where the last one ended. After the last chunk, compare the file with its
  /// digest and give it its name.
  case append(UploadID, Asset, AssetPiece, RequestContext)
  /// Pause an upload. What is on the disk stays.
  case close(UploadID)
  /// The file was registered, or its registration failed. From now on the file may be deleted if no record
  /// refers to it.
  case settle(AssetDigest)
  /// Read a chunk for a client that may read the zone.
  case read(AssetFetch, RequestContext)
  /// Delete partial uploads that no device has continued for a day.
  case removeStaleUploads

  /// The account number of the broker's own work, which takes turns with the accounts' requests.
  package static let broker: StoreKey = 0

  /// The account in whose turn the request is carried out.
  package var account: StoreKey {
    switch self {
    case .open(let id, _, _), .append(let id, _, _, _), .close(let id): id.account
    case .settle, .removeStaleUploads: Self.broker
    case .read(_, let context): context.identity.accountKey
    }
  }
}

/// The result of a request to the asset thread.
package enum AssetResult: Sendable {
  /// An upload begins at this offset.
  case opened(UploadID, offset: Int, RequestContext)
  /// A chunk is on the disk, and the file is not complete.
  case appended(UploadID, offset: Int, RequestContext)
  /// The file is complete on the disk and must be registered.
  case completed(UploadID, Asset, RequestContext)
  /// The file cannot be stored.
  case failed(UploadID, RecordsError, RequestContext)
  case read(AssetPiece, AssetFetch, RequestContext)
  /// The chunk cannot be read.
  case unreadable(RecordsError, AssetFetch, RequestContext)
  /// The chunk cannot be read because the file is missing or damaged; `isNews` says that this was not known
  /// before.
  case lost(RecordsError, isNews: Bool, AssetFetch, RequestContext)
  /// Files were compared with their digests: some are missing or damaged, some are intact again.
  case compared(lost: [AssetDigest], found: [AssetDigest])
}

/// The store's answer to an offered file.
package enum AssetOffer: Sendable {
  /// The account has the file.
  case held
  /// The account does not have the file. Its files count as `chargedBytes`.
  case wanted(chargedBytes: Int)
  /// The store failed.
  case failed(RecordsError)
}
