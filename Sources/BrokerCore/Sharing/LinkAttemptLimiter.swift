// Limits how often an account can try unknown share links. Links hold 128 random bits and cannot be
// guessed; the limit keeps an account from making the broker look up millions.
//
// Each account has a token bucket for all its connections. A user has one account, unless it is trusted to
// act for other users, so it cannot get more buckets or empty another user's. An attempt takes a token
// before the lookup and returns it if the link exists, so parallel attempts gain nothing.

import Records

/// The unknown links that each account may still try.
struct LinkAttemptLimiter: Sendable {
  /// The capacity of a bucket.
  static let tries = 10
  /// The time in which a bucket gains one attempt.
  static let secondsPerTry: Int64 = 10

  private struct Bucket {
    var tries: Int
    /// The time up to which attempts have been added.
    var filledSeconds: Int64
  }

  /// The buckets that are not full.
  private var buckets: [StoreKey: Bucket] = [:]

  /// Takes an attempt from the account's bucket. Returns the error if the bucket is empty.
  mutating func take(of account: StoreKey, atSeconds now: Int64) -> RecordsError? {
    var bucket = filled(account, now)
    defer { buckets[account] = bucket }
    guard bucket.tries > 0 else {
      let wait = max(1, bucket.filledSeconds + Self.secondsPerTry - now)
      return RecordsError(
        .requestRateLimited, "Too many invalid links were tried.",
        hint: "Wait \(wait) s, and check that the link is complete.",
        retryAfterSeconds: Int(wait), reason: "guessing")
    }
    bucket.tries -= 1
    return nil
  }

  /// Returns an attempt to the account's bucket, because the link exists.
  mutating func giveBack(to account: StoreKey) {
    guard let bucket = buckets[account] else { return }
    buckets[account]?.tries = min(Self.tries, bucket.tries + 1)
  }

  /// Removes the buckets that are full again.
  mutating func forget(atSeconds now: Int64) {
    for account in buckets.keys where filled(account, now).tries == Self.tries {
      buckets[account] = nil
    }
  }

  private func filled(_ account: StoreKey, _ now: Int64) -> Bucket {
    guard var bucket = buckets[account] else {
      return Bucket(tries: Self.tries, filledSeconds: now)
    }
    let gained = max(0, (now - bucket.filledSeconds) / Self.secondsPerTry)
    bucket.tries = min(Self.tries, bucket.tries + Int(min(gained, Int64(Self.tries))))
    bucket.filledSeconds += gained * Self.secondsPerTry
    return bucket
  }
}
