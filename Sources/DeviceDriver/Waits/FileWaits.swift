import Records

/// The callers that wait for files to be downloaded. Several can wait for one file.
struct FileWaits {
  /// A wait for a file. The stream has one element: `nil` when the file is here, or why it cannot be downloaded.
  typealias Wait = (id: UInt64, results: AsyncStream<RecordsError?>)
  private typealias Continuation = AsyncStream<RecordsError?>.Continuation

  /// The maximum number of waits at a time.
  let limit: Int
  private var waiting: [AssetDigest: [UInt64: Continuation]] = [:]
  /// The number of waits.
  private(set) var count = 0
  private var lastID: UInt64 = 0
  private var isEnded = false

  init(limit: Int) {
    self.limit = limit
  }

  /// Begins a wait. After `endAll`, its stream is already at its end.
  /// - Throws: `requestRateLimited` if the limit is reached.
  mutating func begin(_ digest: AssetDigest) throws(RecordsError) -> Wait {
    guard count < limit else { throw .tooManyWaits(limit: limit) }
    lastID += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: RecordsError?.self, bufferingPolicy: .bufferingNewest(1))
    guard !isEnded else {
      continuation.finish()
      return (lastID, stream)
    }
    waiting[digest, default: [:]][lastID] = continuation
    count += 1
    return (lastID, stream)
  }

  /// Ends all waits for a file, with success or with an error.
  mutating func end(_ digest: AssetDigest, because error: RecordsError?) {
    for continuation in (waiting.removeValue(forKey: digest) ?? [:]).values {
      count -= 1
      continuation.yield(error)
      continuation.finish()
    }
  }

  /// Ends one wait, also one that has a result.
  mutating func end(_ id: UInt64, for digest: AssetDigest) {
    guard let continuation = waiting[digest]?.removeValue(forKey: id) else { return }
    count -= 1
    continuation.finish()
    if waiting[digest]?.isEmpty == true { waiting[digest] = nil }
  }

  /// Ends all waits, and those that begin later.
  mutating func endAll() {
    isEnded = true
    for continuations in waiting.values {
      for continuation in continuations.values { continuation.finish() }
    }
    waiting = [:]
    count = 0
  }
}
