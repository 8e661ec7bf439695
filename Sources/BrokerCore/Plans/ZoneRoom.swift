// How many zones an account may be in. Questions about whom it knows look at all of them, and its
// devices follow them all on one connection.

import Records

extension RecordsError {
  /// The account has as many zones as it may.
  static let tooManyZones = RecordsError(
    .quotaExceeded,
    "An account is in at most \(Limits.zonesPerAccount) groups, its own and others'.",
    hint: "Delete or leave one that is not needed.", reason: "zones")
}
