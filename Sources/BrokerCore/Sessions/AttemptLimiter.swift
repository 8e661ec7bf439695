/// Limits how often a source can try secrets that do not exist, such as share links. Secrets hold 128 random
/// bits and cannot be guessed; the limit keeps a source from making the broker look up millions.
///
/// Each source has a token bucket for all its connections. An attempt takes a token before the lookup and
/// returns it if the secret exists, so parallel attempts gain nothing.
struct AttemptLimiter<Source: Hashable & Sendable>: Sendable {
  /// The capacity of a bucket.
  let tries: Int
  /// The time in which a bucket gains one attempt.
  let secondsPerTry: Int64

  private struct Bucket {
    var tries: Int
    /// The time up to which attempts have been added.
    var filledSeconds: Int64
  }

  /// The buckets that are not full.
  private var buckets: [Source: Bucket] = [:]

  init(tries: Int, secondsPerTry: Int64) {
    self.tries = tries
    self.secondsPerTry = secondsPerTry
  }

  /// Takes an attempt from the source's bucket. Returns the seconds to wait if the bucket is empty.
  mutating func take(of source: Source, atSeconds now: Int64) -> Int64? {
    var bucket = filled(source, now)
    defer { buckets[source] = bucket }
    guard bucket.tries > 0 else { return max(1, bucket.filledSeconds + secondsPerTry - now) }
    bucket.tries -= 1
    return nil
  }

  /// Returns an attempt to the source's bucket, because the secret exists.
  mutating func giveBack(to source: Source) {
    guard let bucket = buckets[source] else { return }
    buckets[source]?.tries = min(tries, bucket.tries + 1)
  }

  /// Removes the buckets that are full again.
  mutating func forget(atSeconds now: Int64) {
    for source in buckets.keys where filled(source, now).tries == tries {
      buckets[source] = nil
    }
  }

  private func filled(_ source: Source, _ now: Int64) -> Bucket {
    guard var bucket = buckets[source] else { return Bucket(tries: tries, filledSeconds: now) }
    let gained = max(0, (now - bucket.filledSeconds) / secondsPerTry)
    bucket.tries = min(tries, bucket.tries + Int(min(gained, Int64(tries))))
    bucket.filledSeconds += gained * secondsPerTry
    return bucket
  }
}
