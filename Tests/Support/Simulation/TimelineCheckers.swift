// What must be true of a timeline. During the run, no device shows a comment without its post, or shows a
// deleted record again. In the settled world every device shows what the broker has, photos included, and
// nothing that a person posted is lost without a report.

import BrokerCore
import DeviceStore
import Records
import SyncCore
import Timeline
import TimelineStore

/// What people posted and which records devices showed.
struct TimelineMemory {
  /// A post, or a comment on one.
  struct Made {
    let device: Int
    let name: RecordName
    let post: RecordName?
  }

  var made: [Made] = []
  /// The devices that asked for the deletion of each record.
  var deleted: [RecordName: Set<Int>] = [:]
  /// The records of other accounts that each device tried to delete.
  var attemptedDeletions: [Int: Set<RecordName>] = [:]
  private var seen: [Int: Set<RecordName>] = [:]
  /// The posts of all comments that a device showed.
  private var posts: [RecordName: RecordName] = [:]
  private var gone: [Int: Set<RecordName>] = [:]

  /// Checks what a device's timeline shows.
  /// - Throws: a violation of I6, or of I9 for a comment without its post.
  mutating func look(at device: SimulatedDevice, _ history: History) throws {
    let shown = try TimelineCheckers.shown(by: device)
    let names = shown.posts.union(shown.comments.keys)
    if let again = names.intersection(gone[device.index, default: []]).first {
      throw InvariantViolation(
        "I6", "device \(device.index) shows the deleted \(again) again")
    }
    for (comment, post) in shown.comments where !shown.posts.contains(post) {
      throw InvariantViolation(
        "references", "device \(device.index) shows \(comment), but not its post \(post)")
    }
    posts.merge(shown.comments) { $1 }
    // A record returns if the broker rejects its deletion. A post returns with its comments.
    let kept = attemptedDeletions[device.index, default: []]
    let missing = seen[device.index, default: []].subtracting(names).subtracting(kept)
      .filter { name in posts[name].map { !kept.contains($0) } ?? true }
      .filter { name in
        history.newest[RecordID(zone: .public, name: name)]?.change.kind == .deleted
      }
    gone[device.index, default: []].formUnion(missing)
    seen[device.index, default: []].formUnion(names)
  }

  /// Checks that an account deletes only its own records by name.
  func check(_ name: RecordName, isDeletedBy account: AccountID, in history: History) throws {
    guard let change = history.newest[RecordID(zone: .public, name: name)]?.change,
      change.kind == .deleted, change.modified.origin.account == account,
      change.created.origin.account != account
    else { return }
    throw InvariantViolation("I24", "\(account) deleted \(name), which belongs to another account")
  }
}

/// Checks the timeline of a world.
struct TimelineCheckers {
  let history: History
  let memory: TimelineMemory

  /// Returns the posts that a device shows, and its comments with their posts.
  static func shown(
    by device: SimulatedDevice
  ) throws -> (posts: Set<RecordName>, comments: [RecordName: RecordName]) {
    let reader = device.replica.reader
    let posts = try reader.posts(PostQuery(limit: 1000)).posts.map(\.post.id)
    let about = try posts.flatMap { try reader.comments(of: $0).comments }
    let all = try reader.comments(Set(SyncState.allCases))
    let comments = (about + all).map { ($0.comment.id, $0.comment.post) }
    return (Set(posts), Dictionary(comments, uniquingKeysWith: { first, _ in first }))
  }

  /// I9, I16, I17, I19: the device shows what the broker has, and no edit is pending.
  func isCurrent(_ device: SimulatedDevice, _ broker: SimulatedBroker) throws {
    let reader = device.replica.reader
    let status = try reader.status()
    guard status.waitingEntries == 0 else {
      throw InvariantViolation(
        "I16", "device \(device.index) still has \(status.waitingEntries) entries to send")
    }
    guard status.ledger.isBalanced, status.ledger.pending == 0 else {
      throw InvariantViolation("I17", "device \(device.index) has settled with \(status.ledger)")
    }
    let posts = try reader.posts(PostQuery(limit: 1000)).posts
    var shown: [RecordName: Fields] = [:]
    for post in posts {
      shown[post.post.id] = post.record.fields
      for comment in try reader.comments(of: post.post.id).comments {
        shown[comment.comment.id] = comment.record.fields
      }
      guard post.isPhotoHere, device.files[post.post.photo.id] != nil else {
        throw InvariantViolation(
          "I19", "device \(device.index) has settled without the photo of \(post.post.id)")
      }
    }
    let expected = try history.living(in: .public)
    guard shown == expected else {
      let names = Set(shown.keys).union(expected.keys).filter { shown[$0] != expected[$0] }
      throw InvariantViolation(
        "I9",
        "device \(device.index) "
          + names.sorted().map { name in
            "\(shown[name] == nil ? "lacks" : expected[name] == nil ? "still shows" : "alters") "
              + "\(name)"
          }.joined(separator: ", "))
    }
  }

  /// I17: what a person posted was committed, rejected and kept, or deleted on the device.
  func nothingVanished(_ devices: [SimulatedDevice]) throws {
    var kept: Set<RecordName> = []
    for entry in history.entries where entry.change.kind == .saved {
      kept.insert(entry.change.name)
    }
    for device in devices {
      for rejected in try device.replica.reader.rejectedEdits() {
        if let name = rejected.name { kept.insert(name) }
      }
    }
    for made in memory.made where !kept.contains(made.name) {
      let names = [made.name] + (made.post.map { [$0] } ?? [])
      let isTakenBack = names.contains { memory.deleted[$0]?.contains(made.device) == true }
      guard isTakenBack else {
        throw InvariantViolation(
          "I13/I17", "\(made.name), created on device \(made.device), has vanished")
      }
    }
  }

  /// I19: the broker has every file that a record refers to. A device has the photo of a post that is not
  /// synced.
  func filesAreThere(_ broker: SimulatedBroker, _ devices: [SimulatedDevice]) throws {
    for (id, entry) in history.newest where entry.change.kind == .saved {
      for asset in entry.change.record.assets where broker.disk.files[asset.id] == nil {
        throw InvariantViolation("I19", "\(id.name) refers to a file that the broker lacks")
      }
    }
    for device in devices {
      for post in try device.replica.reader.posts(PostQuery(limit: 1000)).posts {
        let isHere = device.files[post.post.photo.id] != nil
        guard isHere || !post.isPhotoHere && post.state == .synced else {
          throw InvariantViolation(
            "I19", "device \(device.index) shows \(post.post.id) without its photo")
        }
      }
    }
  }
}
