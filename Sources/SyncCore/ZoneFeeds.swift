import Records

/// The zones whose feeds a device reads, and the directory that names them.
struct ZoneFeeds: Sendable {
  /// How far the directory has been read.
  struct Directory: Sendable {
    /// The revision that was read.
    var revision: Revision
    /// The newest revision that the broker named on this connection.
    var target = Revision.zero
    /// The number of the message that requested the directory and has no answer yet.
    var request: UInt64?
  }

  /// The directory.
  var directory: Directory
  /// The zones that are read.
  var followed: [ZoneID: FollowedZone]
  /// Zones that were deleted on this device. The directory has not confirmed that yet.
  var abandoned: Set<ZoneID>
  /// Zones that were lost on this connection, each with the revision at its loss. Messages about them that were on their
  /// way are ignored. A zone with a later change was restored, and the directory is about to name it, like an unknown one.
  var lost: [ZoneID: Revision] = [:]
  /// Zones to attach with the next message.
  var toAttach: Set<ZoneID> = []
  /// Zones that the hello named and that are not read any more. They are detached when the broker has answered the hello.
  var toDetach: Set<ZoneID> = []
  /// Zones whose feed the broker stopped. They are attached again later.
  var deferred: Set<ZoneID> = []
  var attachBackoff = Backoff()

  /// The reading of one zone; `nil` if the zone is not read.
  subscript(zone: ZoneID) -> FollowedZone? {
    get { followed[zone] }
    _modify { yield &followed[zone] }
  }

  /// Whether the directory and all zones were read up to the newest change.
  var areLevel: Bool {
    directory.revision >= directory.target && followed.values.allSatisfy(\.isLevel)
  }

  /// A connection is open: no zone has been read on it.
  mutating func connected() {
    // The hello names all zones that are read, and no others.
    toAttach = []
    toDetach = []
    for zone in followed.keys {
      followed[zone]?.isLevel = false
      followed[zone]?.isResuming = false
      followed[zone]?.isDoubted = false
    }
  }

  /// The connection ended.
  mutating func disconnected() {
    directory.request = nil
    lost = [:]
    toAttach = []
    toDetach = []
    deferred = []
    attachBackoff.reset()
    for zone in followed.keys { followed[zone]?.isLevel = false }
  }
}
