// How many zones an account may be in, and how many its directory may name. Questions about whom it knows look
// at all zones it is in, its devices follow them all on one connection, and the directory is one frame.

import Records

/// An account's zones.
package struct ZoneCounts: Hashable, Sendable {
  /// Those it is in, its own and others'.
  package var present: Int
  /// Those its directory names; besides these, what was deleted or left within the horizon.
  package var named: Int

  /// No zones, unless there are some.
  package init(present: Int = 0, named: Int = 0) {
    self.present = present
    self.named = named
  }

  /// Why the account may be in no other one: `quotaExceeded`.
  var refusalOfAnother: RecordsError? {
    if present >= Limits.zonesPerAccount { return .tooManyZones }
    return named >= Limits.zonesNamedPerAccount ? .tooManyGoneZones : nil
  }
}

extension RecordsError {
  /// The account has as many zones as it may.
  static let tooManyZones = RecordsError(
    .quotaExceeded,
    "An account is in at most \(Limits.zonesPerAccount) groups, its own and others'.",
    hint: "Delete or leave one that is not needed.", reason: "zones")
  /// It made, or was in, more than its devices can be told of.
  static let tooManyGoneZones = RecordsError(
    .quotaExceeded,
    "An account's devices are told of at most \(Limits.zonesNamedPerAccount) groups, those that were "
      + "deleted or left in the last 90 days included.",
    hint: "Try again once some of those are older.", reason: "zones")
}
