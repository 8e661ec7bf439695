// Uploads files that the broker has lost and this device may have. The device requests their list once in a
// connection, a page at a time; the broker reports later losses by itself. The device uploads the files that it has
// like any others, after those that its own edits wait for. For a file that another device has to upload, the device
// waits until the broker reports that the file is available again.

import Records

/// The lost files that the broker asks for on the current connection.
struct AssetReturns: Sendable {
  /// The files of the last page that were not examined yet, in order.
  var wanted: [Asset] = []
  /// The last file of the page, after which the next one begins; `nil` if there is no next page.
  var next: AssetDigest?
  /// The correlation number of the unanswered request.
  var request: UInt64?
  /// Whether the first page was requested.
  var hasAsked = false
  /// Files that are being uploaded again.
  var returning: Set<AssetDigest> = []

  /// Handles the rejection of a message. A rejected request for the list is not repeated on this connection.
  mutating func refused(_ replyTo: UInt64) {
    if replyTo == request { request = nil }
  }
}

extension SyncMachine {
  /// Whether the list of lost files may be requested. A device without files does not need it.
  package var mayAskForWanted: Bool { phase == .live && !transfers.returns.hasAsked }

  /// Requests the list of the files that the broker has lost.
  package mutating func askForWanted() -> [SyncStep] {
    guard conversation.isReady, mayAskForWanted else { return [] }
    transfers.returns.hasAsked = true
    return askForWanted(after: nil)
  }

  private mutating func askForWanted(after digest: AssetDigest?) -> [SyncStep] {
    let id = freshID()
    transfers.returns.request = id
    return [.send(id: id, .wantedAssets(after: digest))]
  }

  /// Handles a page of lost files. A page that the broker sends without a request is the first page of a new list.
  mutating func wanted(_ assets: [Asset], isWhole: Bool, replyTo: UInt64) -> [SyncStep] {
    let isAnswer = replyTo != 0 && replyTo == transfers.returns.request
    guard isAnswer || replyTo == 0 else { return [] }
    transfers.returns.request = nil
    let former = isAnswer ? transfers.returns.next : nil
    transfers.returns.next = nil
    guard let last = assets.last?.id else { return [] }
    // NB: pages that are not in rising order would be requested without end.
    if !isWhole, former.map({ $0 < last }) ?? true { transfers.returns.next = last }
    transfers.returns.wanted = assets
    transfers.held.subtract(assets.map(\.id))
    return [.store(.sendMore)]
  }

  /// Returns the next lost file if an upload may start now. Each file is returned once. The caller passes it to
  /// `giveBack` if this device has the file.
  package mutating func nextWanted() -> Asset? {
    guard looksForUploads, !transfers.returns.wanted.isEmpty else { return nil }
    return transfers.returns.wanted.removeFirst()
  }

  /// Uploads a lost file that this device has and that one of its records refers to.
  package mutating func giveBack(_ asset: Asset) -> [SyncStep] {
    let steps = upload(asset)
    if transfers.uploads[asset.id] != nil { transfers.returns.returning.insert(asset.id) }
    return steps
  }

  /// Requests the next page once every file of the last one was examined.
  package mutating func lookedAtWanted() -> [SyncStep] {
    guard conversation.isReady, transfers.returns.wanted.isEmpty,
      transfers.returns.request == nil, let next = transfers.returns.next
    else { return [] }
    return askForWanted(after: next)
  }

  /// Handles the report that the broker has a missing file again.
  mutating func isBack(_ digest: AssetDigest) -> [SyncStep] {
    guard transfers.missing.remove(digest) != nil else { return [] }
    transfers.mayHaveWants = true
    return [.store(.sendMore)]
  }
}
