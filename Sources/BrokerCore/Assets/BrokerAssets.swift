// How files are uploaded and fetched. An upload belongs to the connection that offered the file last. What
// was sent stays on the disk when the connection ends, and the next upload continues there. The limits of a
// connection: files by their number, chunks by the requests in flight and by the bytes in the queue.

import ByteCounts
import Records

extension Broker {
  // MARK: Uploading

  mutating func offer(_ asset: Asset, _ context: RequestContext) {
    guard let session = sessions[context.connection] else { return }
    do throws(RecordsError) {
      guard asset.sizeBytes > 0 else { throw .invalid("An asset cannot be empty.") }
      let limit = configuration.quotas.assetBytes
      guard asset.byteCount <= limit else {
        throw .limit("Bytes of an asset", limit: limit, actual: asset.byteCount)
      }
      let uploads = session.assets.uploads
      let isKnown = uploads.contains(UploadID(asset.id, of: context.identity))
      guard isKnown || uploads.count < Limits.assetUploadsPerSession else {
        throw RecordsError(
          .requestRateLimited,
          "This connection already uploads \(Limits.assetUploadsPerSession) files, the limit.",
          hint: "Start the next upload when one is complete.", retryAfterSeconds: 1)
      }
      store(.offerAsset(asset), context)
    } catch {
      reply(.error(error), to: context)
    }
  }

  mutating func answer(_ offer: AssetOffer, to asset: Asset, _ context: RequestContext) {
    let connection = context.connection
    guard sessions[connection] != nil else { return }
    switch offer {
    case .held: reply(.held(asset.id), to: context)
    case .failed(let error): reply(.error(error), to: context)
    case .wanted(let chargedBytes):
      let id = UploadID(asset.id, of: context.identity)
      if let error = uploadError(asset, id, chargedBytes: chargedBytes) {
        return reply(.error(error), to: context)
      }
      if let former = assets.connection(of: id) { sessions[former]?.assets.uploads.remove(id) }
      assets.begin(id, of: asset, on: connection)
      sessions[connection]?.assets.uploads.insert(id)
      began(connection)
      actions.append(.asset(.open(id, asset, context)))
    }
  }

  /// Returns the error if the account may not upload a file now. Stored files and uploads in progress count.
  private func uploadError(_ asset: Asset, _ id: UploadID, chargedBytes: Int) -> RecordsError? {
    let others = assets.others(than: id)
    guard others.count < BrokerLimits.uploadsPerAccount else {
      return RecordsError(
        .requestRateLimited, "The account already uploads \(others.count) files, the limit.",
        hint: "Start the next upload when one is complete.", retryAfterSeconds: 1)
    }
    let limit = configuration.quotas.accountBytes
    let used = chargedBytes + others.byteCount
    guard used + asset.byteCount > limit else { return nil }
    return RecordsError(
      .quotaExceeded,
      "The account's files are limited to \(ByteCount(limit).limit) in total. They have "
        + "\(ByteCount(used)), and this file has \(ByteCount(asset.byteCount)).",
      hint:
        "Delete files that you do not need. Their space is free a day after the earlier versions "
        + "that refer to them expire.")
  }

  mutating func append(_ chunk: AssetPiece, _ context: RequestContext) {
    let id = UploadID(chunk.digest, of: context.identity)
    do throws(RecordsError) {
      let asset = try assets.accept(chunk, of: id, from: context.connection)
      try queue.add(
        chunk.content.count, of: context.connection, account: context.identity.accountKey)
      assets.resume(id, at: chunk.end)
      began(context.connection)
      actions.append(.asset(.append(id, asset, chunk, context.queuing(chunk.content.count))))
    } catch {
      reply(.error(error), to: context)
    }
  }

  // MARK: Fetching

  mutating func fetchAsset(_ fetch: AssetFetch, _ context: RequestContext) {
    guard let session = sessions[context.connection] else { return }
    guard session.assets.fetches < Limits.assetFetchesInFlight else {
      return reply(
        .error(
          RecordsError(
            .requestRateLimited,
            "This connection already waits for \(Limits.assetFetchesInFlight) file chunks, the limit.",
            hint: "Wait for one of them before you request another.", retryAfterSeconds: 1)),
        to: context)
    }
    sessions[context.connection]?.assets.fetches += 1
    began(context.connection)
    ask(.asset(fetch), context)
  }

  /// Answers a fetch. Returns whether the client received the answer.
  @discardableResult
  private mutating func fetched(
    _ message: BrokerMessage, _ fetch: AssetFetch, _ context: RequestContext
  ) -> Bool {
    guard ended(.asset(fetch), context) else { return false }
    sessions[context.connection]?.assets.fetches -= 1
    finished(context.connection)
    reply(message, to: context)
    return sessions[context.connection] != nil
  }

  // MARK: Results

  mutating func assetDone(_ result: AssetResult) {
    switch result {
    case .opened(let id, let offset, let context):
      finished(context.connection)
      guard assets.connection(of: id) == context.connection else { return }
      assets.resume(id, at: offset)
      reply(.incomplete(id.digest, offset: offset), to: context)
    case .appended(let id, let offset, let context):
      queue.remove(context.queuedBytes, of: context.connection)
      finished(context.connection)
      guard assets.connection(of: id) == context.connection else { return }
      reply(.incomplete(id.digest, offset: offset), to: context)
    case .completed(let id, let asset, let context):
      queue.remove(context.queuedBytes, of: context.connection)
      // NB: also if the connection is closed, because the file is complete.
      actions.append(.store(.client(.registerAsset(asset, id), context.queuing(0))))
    case .failed(let id, let error, let context):
      queue.remove(context.queuedBytes, of: context.connection)
      finished(context.connection)
      guard assets.connection(of: id) == context.connection else { return }
      endUpload(id)
      reply(.error(error), to: context)
    case .read(let chunk, let fetch, let context):
      fetched(.assetPiece(chunk), fetch, context)
    case .unreadable(let error, let fetch, let context):
      fetched(.error(error), fetch, context)
    case .lost(let error, let isNews, let fetch, let context):
      if isNews { actions.append(.store(.recordAssets(lost: [fetch.digest], found: []))) }
      if fetched(.error(error), fetch, context) {
        assets.losses.missed(fetch.digest, by: context.connection)
      }
    case .compared(let lost, let found):
      guard !lost.isEmpty || !found.isEmpty else { return }
      actions.append(.store(.recordAssets(lost: lost, found: found)))
    }
  }

  /// Answers an upload when the store has registered its file, or has failed to.
  mutating func registered(
    _ id: UploadID, because error: RecordsError?, _ context: RequestContext
  ) {
    actions.append(.asset(.settle(id.digest)))
    if assets.connection(of: id) == context.connection { endUpload(id) }
    if let error { return reply(.error(error), to: context) }
    reply(.held(id.digest), to: context)
    announceFound(id.digest)
  }

  private mutating func endUpload(_ id: UploadID) {
    guard let connection = assets.end(id) else { return }
    sessions[connection]?.assets.uploads.remove(id)
  }
}

extension BrokerMessage {
  /// The answer if the broker has the whole file.
  static func held(_ digest: AssetDigest) -> BrokerMessage {
    .assetStanding(AssetStanding(digest: digest, isHeld: true, offset: 0))
  }

  /// The answer if the broker has the first `offset` bytes of the file.
  static func incomplete(_ digest: AssetDigest, offset: Int) -> BrokerMessage {
    .assetStanding(AssetStanding(digest: digest, isHeld: false, offset: offset))
  }
}
