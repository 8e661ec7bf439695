// What the broker does with offers, pieces and questions for pieces. An upload belongs to the
// connection that offered last; what was sent stays on the disk when the connection ends, so the
// next one goes on there. What a connection may have under way is bounded: files by their number,
// pieces by the requests in flight and by what may wait for the disk altogether.

import Records

/// A file on its way in.
struct Upload: Sendable {
  let connection: ConnectionID
  let asset: Asset
  /// Where the next piece must begin; `nil` until the disk has said what is there.
  var next: Int?
}

extension Broker {
  // MARK: Sending

  mutating func offered(
    _ asset: Asset, number: UInt64, from connection: ConnectionID, identity: SessionIdentity
  ) {
    guard let session = sessions[connection] else { return }
    do throws(RecordsError) {
      guard asset.sizeBytes > 0 else { throw .invalid("An asset has at least one byte.") }
      guard asset.byteCount <= quotas.assetBytes else {
        throw .limit(
          "Bytes of an asset", limit: quotas.assetBytes, actual: asset.byteCount)
      }
      let isKnown = session.uploads.contains(UploadID(asset.id, of: identity))
      guard isKnown || session.uploads.count < Limits.assetUploadsPerSession else {
        throw RecordsError(
          .requestRateLimited,
          "\(Limits.assetUploadsPerSession) files are being sent on this connection already.",
          hint: "Start the next upload when one is complete.", retryAfterSeconds: 1)
      }
    } catch {
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    began(connection)
    actions.append(.store(.offerAsset(connection, replyTo: number, identity, asset)))
  }

  mutating func answered(
    _ offer: AssetOffer, to asset: Asset, number: UInt64, of connection: ConnectionID
  ) {
    finished(connection)
    guard let identity = sessions[connection]?.identity else { return }
    switch offer {
    case .held: tellHeld(asset.id, number: number, connection)
    case .failed(let error): actions.append(.send(connection, replyTo: number, .error(error)))
    case .wanted(let chargedBytes):
      let id = UploadID(asset.id, of: identity)
      if let error = uploadError(asset, id, chargedBytes: chargedBytes) {
        actions.append(.send(connection, replyTo: number, .error(error)))
        return
      }
      if let former = uploads[id]?.connection { sessions[former]?.uploads.remove(id) }
      uploads[id] = Upload(connection: connection, asset: asset)
      sessions[connection]?.uploads.insert(id)
      began(connection)
      actions.append(.asset(.open(connection, replyTo: number, id, asset)))
    }
  }

  /// Why an account may not send a file now. Charged before anything is kept: what is entered, and
  /// what is under way.
  private func uploadError(_ asset: Asset, _ id: UploadID, chargedBytes: Int) -> RecordsError? {
    var (underWay, openCount) = (0, 0)
    for (other, upload) in uploads where other.account == id.account && other != id {
      openCount += other.container == id.container ? 1 : 0
      underWay += other.digest == id.digest ? 0 : upload.asset.byteCount
    }
    guard openCount < BrokerLimits.uploadsPerAccount else {
      return RecordsError(
        .requestRateLimited, "The account's devices are sending \(openCount) files already.",
        hint: "Start the next upload when one is complete.", retryAfterSeconds: 1)
    }
    guard chargedBytes + underWay + asset.byteCount > quotas.accountBytes else { return nil }
    return RecordsError(
      .quotaExceeded,
      "The account's files may have \(quotas.accountBytes) bytes together; they have "
        + "\(chargedBytes + underWay), and this one has \(asset.byteCount).",
      hint: "Delete what is not needed; its bytes are free a day after its history has gone.")
  }

  mutating func sent(
    _ piece: AssetPiece, number: UInt64, from connection: ConnectionID, identity: SessionIdentity
  ) {
    let id = UploadID(piece.digest, of: identity)
    do throws(RecordsError) {
      let asset = try expected(piece, id, from: connection)
      try queue.add(
        piece.content.count, of: connection, account: identity.accountKey)
      uploads[id]?.next = piece.end
      began(connection)
      actions.append(.asset(.append(connection, replyTo: number, id, asset, piece)))
    } catch {
      actions.append(.send(connection, replyTo: number, .error(error)))
    }
  }

  /// The asset that a piece belongs to, if it is the next one.
  private mutating func expected(
    _ piece: AssetPiece, _ id: UploadID, from connection: ConnectionID
  ) throws(RecordsError) -> Asset {
    guard let upload = uploads[id], upload.connection == connection, let next = upload.next else {
      throw RecordsError(
        .invalidArguments, "The file \(piece.digest) was not offered on this connection.",
        hint: "Offer it first; the answer says where to begin.", reason: "notOffered")
    }
    guard piece.offset == next else {
      throw RecordsError(
        .invalidArguments, "The piece begins at \(piece.offset), the next one at \(next).",
        hint: "Send the pieces in order, each where the last one ended.", reason: "wrongOffset")
    }
    guard piece.end <= upload.asset.byteCount else {
      throw RecordsError(
        .invalidArguments,
        "The piece ends at \(piece.end), the file at \(upload.asset.byteCount).",
        hint: "Offer the file with its real size.", reason: "wrongOffset")
    }
    return upload.asset
  }

  // MARK: Fetching

  mutating func asked(
    for fetch: AssetFetch, number: UInt64, from connection: ConnectionID
  ) {
    guard let session = sessions[connection] else { return }
    guard session.assetFetches < Limits.assetFetchesInFlight else {
      let error = RecordsError(
        .requestRateLimited,
        "\(Limits.assetFetchesInFlight) pieces were asked for and not had yet.",
        hint: "Wait for one of them.", retryAfterSeconds: 1)
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    sessions[connection]?.assetFetches += 1
    began(connection)
    ask(.piece(fetch), number: number, for: connection)
  }

  // MARK: Results

  mutating func assetDone(_ result: AssetResult) {
    switch result {
    case .waiting(let connection, let number, let id, let offset, let weight):
      queue.remove(weight, of: connection)
      finished(connection)
      guard uploads[id]?.connection == connection else { return }
      if weight == 0 { uploads[id]?.next = offset }
      tell(
        .assetStanding(AssetStanding(digest: id.digest, isHeld: false, offset: offset)),
        number, connection)
    case .completed(let connection, let number, let id, let asset, let weight):
      queue.remove(weight, of: connection)
      // NB: entered also for a connection that is gone: its bytes are here.
      actions.append(.store(.keepAsset(connection, replyTo: number, id, asset)))
    case .failed(let connection, let number, let id, let error, let weight):
      queue.remove(weight, of: connection)
      finished(connection)
      guard uploads[id]?.connection == connection else { return }
      endUpload(id)
      tell(.error(error), number, connection)
    case .piece(let connection, let number, let piece):
      fetched(.assetPiece(piece), number, connection)
    case .unreadable(let connection, let number, let error):
      fetched(.error(error), number, connection)
    case .lost(let connection, let number, let digest, let error, let isNews):
      if isNews { actions.append(.store(.noteAssets(lost: [digest], found: []))) }
      if fetched(.error(error), number, connection) { losses.missed(digest, by: connection) }
    case .compared(let lost, let found):
      guard !lost.isEmpty || !found.isEmpty else { return }
      actions.append(.store(.noteAssets(lost: lost, found: found)))
    }
  }

  /// The store has entered the file, or could not.
  mutating func kept(
    _ id: UploadID, because error: RecordsError?, number: UInt64, of connection: ConnectionID
  ) {
    actions.append(.asset(.settle(id.digest)))
    finished(connection)
    if uploads[id]?.connection == connection { endUpload(id) }
    if let error { return tell(.error(error), number, connection) }
    tellHeld(id.digest, number: number, connection)
    tellFound(id.digest)
  }

  /// Answers who asked for a piece; whether somebody heard it.
  @discardableResult
  private mutating func fetched(
    _ message: BrokerMessage, _ number: UInt64, _ connection: ConnectionID
  ) -> Bool {
    endRead(connection, isBounded: false)
    guard isFresh(connection, number: number) else { return false }
    sessions[connection]?.assetFetches -= 1
    finished(connection)
    tell(message, number, connection)
    return sessions[connection] != nil
  }

  mutating func tellHeld(
    _ digest: AssetDigest, number: UInt64, _ connection: ConnectionID
  ) {
    tell(
      .assetStanding(AssetStanding(digest: digest, isHeld: true, offset: 0)), number, connection)
  }

  mutating func tell(
    _ message: BrokerMessage, _ number: UInt64, _ connection: ConnectionID
  ) {
    guard sessions[connection] != nil else { return }
    actions.append(.send(connection, replyTo: number, message))
  }

  // MARK: Ending

  private mutating func endUpload(_ id: UploadID) {
    guard let upload = uploads.removeValue(forKey: id) else { return }
    sessions[upload.connection]?.uploads.remove(id)
  }

  /// The connection is gone: what it was sending stays as far as it came.
  mutating func closeUploads(of session: Session) {
    for id in session.uploads {
      uploads[id] = nil
      actions.append(.asset(.close(id)))
    }
  }
}
