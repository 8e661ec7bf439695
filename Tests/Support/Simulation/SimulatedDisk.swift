import BrokerCore
import BrokerStore
import Records

/// The files of a simulated broker, and their thread, played by steps. Requests are executed in order, some
/// time later. A crash loses queued requests and retains completed ones.
struct SimulatedDisk {
  /// The queue of the thread.
  var requests: [AssetRequest] = []
  private(set) var files: [AssetDigest: [UInt8]] = [:]
  private var parts: [UploadID: [UInt8]] = [:]
  private var pins: [AssetDigest: Int] = [:]

  /// A digest that is sufficient where no participant forges files.
  static func digest(of bytes: [UInt8]) -> AssetDigest {
    var fingerprint = Fingerprint()
    fingerprint.add(bytes)
    let half = Identifier<AssetDigest>(fingerprint.value).bytes
    guard let digest = AssetDigest(bytes: half + half) else {
      preconditionFailure("Two halves of 16 bytes are 32.")
    }
    return digest
  }

  /// Returns the bytes of a picture that is different for each number.
  static func photo(_ number: Int, byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &+ number &* 7) } + Array("\(number)".utf8)
  }

  /// The process crashes. The next process deletes files that no row refers to.
  mutating func crash(_ store: any RecordStore) {
    requests = []
    pins = [:]
    let registered = (try? store.registered(Array(files.keys))) ?? Set(files.keys)
    files = files.filter { registered.contains($0.key) }
  }

  /// Deletes files that no row refers to, except those that a row is about to refer to.
  mutating func remove(_ digests: [AssetDigest]) {
    for digest in digests where pins[digest] == nil { files[digest] = nil }
  }

  /// Executes the oldest request.
  mutating func perform(_ store: any RecordStore) -> AssetResult? {
    switch requests.removeFirst() {
    case .open(let id, let asset, let context):
      return complete(id, asset, context)
        ?? .opened(id, offset: parts[id, default: []].count, context)
    case .append(let id, let asset, let chunk, let context):
      guard parts[id, default: []].count == chunk.offset else {
        return .failed(id, RecordsError(.serviceUnavailable, "Ended."), context)
      }
      parts[id, default: []] += chunk.content
      return complete(id, asset, context)
        ?? .appended(id, offset: parts[id, default: []].count, context)
    case .close, .removeStaleUploads: return nil
    case .settle(let digest):
      pins[digest] = pins[digest].flatMap { $0 > 1 ? $0 - 1 : nil }
      return nil
    case .read(let fetch, let context): return read(fetch, context, store)
    }
  }

  /// Stores a file once all its bytes are there; `nil` if some are missing.
  private mutating func complete(
    _ id: UploadID, _ asset: Asset, _ context: RequestContext
  ) -> AssetResult? {
    let part = parts[id, default: []]
    guard part.count == asset.byteCount else { return nil }
    parts[id] = nil
    guard Self.digest(of: part) == asset.id else {
      return .failed(
        id, RecordsError(.invalidArguments, "Wrong.", reason: "wrongDigest"), context)
    }
    files[asset.id] = part
    pins[asset.id, default: 0] += 1
    return .completed(id, asset, context)
  }

  private func read(
    _ fetch: AssetFetch, _ context: RequestContext, _ store: any RecordStore
  ) -> AssetResult {
    let isNamed = (try? store.asset(fetch.digest, in: fetch.zone, for: context.identity)) != nil
    guard isNamed, let file = files[fetch.digest], fetch.offset < file.count else {
      return .unreadable(RecordsError(.assetNotAvailable, "Not here."), fetch, context)
    }
    let bytes = file[fetch.offset...].prefix(fetch.byteCount)
    return .read(
      AssetPiece(digest: fetch.digest, offset: fetch.offset, content: Array(bytes)), fetch, context)
  }
}
