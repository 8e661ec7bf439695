// How far a device has read one zone, and whether a frame of the feed fits. Frames are taken only
// where they join on to what was read, so a lost or repeated one can do no harm.

import Records

/// The reading of one zone.
package struct FollowedZone: Hashable, Sendable {
  /// What a frame means for the reading.
  enum Verdict: Hashable {
    /// It joins on.
    case fits(ChangeToken)
    /// It tells what was read before.
    case known
    /// Something before it is missing.
    case gap
    /// It is of another history.
    case otherHistory
  }

  /// How far the zone has been read; `nil` asks for it from the start.
  package var token: ChangeToken?
  /// The history that was read last; kept when the token is given up.
  package var incarnation: Incarnation?
  /// What the reading under way means for what it does not find.
  package var sweep: Sweep
  /// Whether everything there was has been read, on this connection.
  package var isLevel = false
  /// Whether the zone was attached to again and frames of the earlier attachment may still come.
  var isResuming = false
  /// Whether the broker said on this connection that it does not know the zone, though it is this
  /// account's: then it lost its history, or the zone was deleted, which only the directory knows.
  var isDoubted = false

  /// A reading that stands at `token`.
  package init(token: ChangeToken?, incarnation: Incarnation?, sweep: Sweep) {
    self.token = token
    self.incarnation = incarnation
    self.sweep = sweep
  }

  /// Whether a frame joins on.
  func verdict(on frame: ZoneChanges) -> Verdict {
    if let token, token.incarnation != frame.incarnation { return .otherHistory }
    let position = token?.revision ?? .zero
    if token != nil, frame.to <= position { return .known }
    guard frame.from <= position else { return .gap }
    return .fits(
      ChangeToken(
        incarnation: frame.incarnation, revision: frame.to,
        scanStart: token?.scanStart ?? frame.scanStart ?? .zero))
  }

  /// Notes the history a reading from the start turns out to be of. Even the first reading sweeps:
  /// it leaves out what was deleted before it began, and the device may hold some of that, as
  /// outcomes of its own requests.
  mutating func began(_ incarnation: Incarnation) {
    if token == nil {
      if let known = self.incarnation, known != incarnation { sweep = .restored }
      if sweep == .none { sweep = .expired }
    }
    self.incarnation = incarnation
  }
}
