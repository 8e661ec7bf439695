// Guessing links leads nowhere: they are 128 random bits. So that nobody even makes the broker look
// for millions of them, an account's unknown links are counted in a bucket that refills slowly, over
// all its connections. A user of the machine is one account – but for those that are trusted to speak
// for any –, so nobody gets more buckets, and nobody empties another's. A try is taken from the bucket
// when it is asked and given back when the link was a real one, so that many at once gain nothing.

import Records

/// How many unknown links each account may still show.
struct LinkGuesses: Sendable {
  /// What a bucket holds.
  static let tries = 10
  /// How long one more takes.
  static let secondsPerTry: Int64 = 10

  private struct Bucket {
    var tries: Int
    /// When it was filled up last.
    var filledSeconds: Int64
  }

  /// Those that are not full.
  private var buckets: [StoreKey: Bucket] = [:]

  /// Takes a try. Returns why there is none, or `nil`.
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

  /// The link was a real one.
  mutating func giveBack(to account: StoreKey) {
    guard let bucket = buckets[account] else { return }
    buckets[account]?.tries = min(Self.tries, bucket.tries + 1)
  }

  /// Forgets the buckets that are full.
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
