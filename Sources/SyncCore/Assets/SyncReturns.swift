// Files that the broker has lost and this device may have. The device asks for them once a connection,
// a page at a time, and is told of those that are lost later. What it has of them it offers and sends
// like any other file, behind those that its own edits wait for. A file that somebody else has to send
// is waited for without asking for it again: the broker says when it is back.

import Records

/// What the broker wants back, on the present connection.
struct AssetReturns: Sendable {
  /// Files of the last page that were not looked at yet, in their order.
  var wanted: [Asset] = []
  /// Behind which file the next page begins; `nil` when there is none.
  var next: AssetDigest?
  /// The question under way.
  var request: UInt64?
  /// Whether the first page was asked for.
  var hasAsked = false
  /// Files that are being sent again.
  var returning: Set<AssetDigest> = []
}

extension SyncMachine {
  /// Whether the broker may be asked which files it wants back; a device without files need not.
  package var mayAskForWanted: Bool { phase == .live && !transfers.returns.hasAsked }

  /// Asks which files the broker wants back.
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

  /// A page of files that the broker wants back; one that it sends by itself is the first page anew.
  mutating func wanted(_ assets: [Asset], isWhole: Bool, replyTo: UInt64) -> [SyncStep] {
    let isAnswer = replyTo != 0 && replyTo == transfers.returns.request
    guard isAnswer || replyTo == 0 else { return [] }
    transfers.returns.request = nil
    let former = isAnswer ? transfers.returns.next : nil
    transfers.returns.next = nil
    guard let last = assets.last?.id else { return [] }
    // NB: pages that do not rise would be asked for for ever.
    if !isWhole, former.map({ $0 < last }) ?? true { transfers.returns.next = last }
    transfers.returns.wanted = assets
    transfers.held.subtract(assets.map(\.id))
    return [.store(.sendMore)]
  }

  /// The question for lost files was refused: an older broker does not know it.
  mutating func refusedWanted(_ replyTo: UInt64) -> [SyncStep]? {
    guard replyTo != 0, replyTo == transfers.returns.request else { return nil }
    transfers.returns.request = nil
    return []
  }

  /// The next file that the broker wants back, if one may be sent now. Each is told once: it is to be
  /// looked for, and sent with `giveBack`, or left.
  package mutating func nextWanted() -> Asset? {
    guard looksForUploads, !transfers.returns.wanted.isEmpty else { return nil }
    return transfers.returns.wanted.removeFirst()
  }

  /// Sends a file again that is here and that a record here names.
  package mutating func giveBack(_ asset: Asset) -> [SyncStep] {
    let steps = upload(asset)
    if transfers.uploads[asset.id] != nil { transfers.returns.returning.insert(asset.id) }
    return steps
  }

  /// Every file of a page was looked at: the next page, if there is one.
  package mutating func lookedAtWanted() -> [SyncStep] {
    guard conversation.isReady, transfers.returns.wanted.isEmpty,
      transfers.returns.request == nil, let next = transfers.returns.next
    else { return [] }
    return askForWanted(after: next)
  }

  /// The broker has a file that it had not when it was asked for.
  mutating func isBack(_ digest: AssetDigest) -> [SyncStep] {
    guard transfers.missing.remove(digest) != nil else { return [] }
    transfers.mayHaveWants = true
    return [.store(.sendMore)]
  }
}
