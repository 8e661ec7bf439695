// The files of the mini broker: whatever is sent is believed.

import Records

/// What a mini broker has of files.
package struct MiniAssets {
  /// Whole files.
  package var files: [AssetDigest: [UInt8]] = [:]
  /// Files on their way in.
  package var parts: [AssetDigest: (asset: Asset, bytes: [UInt8])] = [:]
  /// How often a file was offered.
  package private(set) var offers = 0
  /// How many pieces were sent.
  package private(set) var pieces = 0
  /// What is said to the next offers instead.
  package var refusal: RecordsError?
  /// The errors for downloads of these files.
  package var fetchRefusals: [AssetDigest: RecordsError] = [:]
  /// The lost files, and the number of them in one answer.
  package var lost: [Asset] = []
  package var lostPerPage = 100
  /// What to answer to every request for the list of lost files.
  package var lossesRefusal: RecordsError?
  /// How often lost files were asked for.
  package private(set) var questions = 0
  /// The files that were asked for, each piece by itself.
  package private(set) var fetches: [AssetDigest] = []

  /// Stores a file of another account, under a digest that is not verified.
  package mutating func hold(_ content: [UInt8]) -> Asset {
    let digest = (0..<32).map { content[$0 % content.count] }
    let asset = Asset(digest: digest, sizeBytes: UInt64(content.count))
    files[asset.id] = content
    return asset
  }

  /// The answer to a message about files.
  package mutating func answer(_ message: ClientMessage) -> BrokerMessage {
    switch message {
    case .offerAsset(let asset): offered(asset)
    case .assetPiece(let piece): sent(piece)
    case .fetchAsset(let fetch): asked(fetch)
    case .wantedAssets(let after): wanted(after: after)
    default: .error(.invalid("That is not about files."))
    }
  }

  /// The files are gone.
  package mutating func lose(_ assets: [Asset]) {
    for asset in assets { files[asset.id] = nil }
    lost = (lost + assets).sorted { $0.id < $1.id }
  }

  private mutating func wanted(after digest: AssetDigest?) -> BrokerMessage {
    questions += 1
    if let lossesRefusal { return .error(lossesRefusal) }
    let behind = lost.filter { asset in digest.map { $0 < asset.id } ?? true }
    return .wantedAssets(
      Array(behind.prefix(lostPerPage)), isWhole: behind.count <= lostPerPage)
  }

  private mutating func offered(_ asset: Asset) -> BrokerMessage {
    offers += 1
    if let refusal { return .error(refusal) }
    if files[asset.id] != nil { return standing(asset.id, isHeld: true) }
    parts[asset.id] = parts[asset.id] ?? (asset, [])
    return standing(asset.id, isHeld: false)
  }

  private mutating func sent(_ piece: AssetPiece) -> BrokerMessage {
    pieces += 1
    guard let part = parts[piece.digest], part.bytes.count == piece.offset else {
      return .error(.invalid("The piece does not join on."))
    }
    let bytes = part.bytes + piece.content
    parts[piece.digest]?.bytes = bytes
    guard bytes.count == part.asset.byteCount else { return standing(piece.digest, isHeld: false) }
    parts[piece.digest] = nil
    files[piece.digest] = bytes
    lost.removeAll { $0.id == piece.digest }
    return standing(piece.digest, isHeld: true)
  }

  private func standing(_ digest: AssetDigest, isHeld: Bool) -> BrokerMessage {
    .assetStanding(
      AssetStanding(
        digest: digest, isHeld: isHeld, offset: isHeld ? 0 : parts[digest]?.bytes.count ?? 0))
  }

  private mutating func asked(_ fetch: AssetFetch) -> BrokerMessage {
    fetches.append(fetch.digest)
    if let refusal = fetchRefusals[fetch.digest] { return .error(refusal) }
    guard let file = files[fetch.digest], fetch.offset < file.count else {
      let isLost = lost.contains { $0.id == fetch.digest }
      return .error(
        RecordsError(
          .assetNotAvailable, "There is no such file.", reason: isLost ? "damaged" : nil))
    }
    let bytes = file[fetch.offset...].prefix(fetch.byteCount)
    return .assetPiece(
      AssetPiece(digest: fetch.digest, offset: fetch.offset, content: Array(bytes)))
  }
}
