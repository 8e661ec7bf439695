// Limits on an account's zones. They bound queries over all zones of an account, the zones that one
// connection follows, and the directory, which must fit one frame.

import Records

/// The number of an account's zones.
package struct ZoneCounts: Hashable, Sendable {
  /// The zones that the account owns or participates in.
  package var present: Int
  /// The zones that its directory lists: those of `present`, and those deleted or left within the horizon.
  package var named: Int

  package init(present: Int = 0, named: Int = 0) {
    self.present = present
    self.named = named
  }

  /// The `quotaExceeded` error if the account may not be in one more zone; otherwise `nil`.
  var quotaError: RecordsError? {
    presentError ?? (named >= Limits.zonesNamedPerAccount ? .tooManyNamedZones : nil)
  }

  /// The `quotaExceeded` error if the account may not have one more of the zones that its directory lists; otherwise `nil`.
  var presentError: RecordsError? {
    present >= Limits.zonesPerAccount ? .tooManyZones : nil
  }
}

extension RecordsError {
  /// The account is in the maximum number of zones.
  static let tooManyZones = RecordsError(
    .quotaExceeded,
    "An account can be in at most \(Limits.zonesPerAccount) zones, including shared ones.",
    hint: "Delete or leave a zone that is not needed.", reason: "zones")
  /// The account's directory lists the maximum number of zones, including deleted and left ones.
  static let tooManyNamedZones = RecordsError(
    .quotaExceeded,
    "An account can have at most \(Limits.zonesNamedPerAccount) zones, including those that it "
      + "deleted or left in the last 90 days.",
    hint: "Try again later, when some of those 90 days are over.", reason: "zonesNamed")
}
