// Several people and what they show to everybody, on dice: photos and comments are made on devices that
// may be offline, of one's own and of others' posts, are deleted with what hangs on them, and are tried to
// be deleted by others, while sockets end and processes die. Nobody ever sees a comment without its post,
// or a post again that was gone; in the end every device shows what the broker has, photos too, and
// nothing that was made is lost.

import BrokerCore
import DeviceStore
import Records
import RecordsWire
import SyncCore
import Timeline

/// A simulated world of a timeline.
package struct TimelineWorld: DeviceWorld {
  /// What a run came to.
  package struct Report: Sendable {
    /// Steps taken.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// Comments that went with their posts.
    package var wentAlong = 0
    /// Posts and comments made.
    package var made = 0
  }

  private enum Deed: Hashable, Sendable {
    case post, comment, delete, trespass, look, refresh, fault, tick, progress
  }

  private static let people = ["ada", "bob", "eve"]
  private static let graceSeconds: Int64 = 1800
  /// What is deleted before it was ever sent goes with nothing: people do less here, for longer.
  private static let stepsPerStep = 2.0

  private let climate: Climate
  private let deeds: Odds<Deed>
  let faults: Odds<Fault>
  var dice: Dice
  var broker: SimulatedBroker
  var devices: [SimulatedDevice] = []
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  var lastConnection = 0
  var milliseconds: Int64 = 0
  var hasFaults = true
  var crashes = 0
  private(set) var history = History()
  private(set) var memory = TimelineMemory()
  /// The devices that have themselves told of posts and comments since they were started.
  private var following: Set<Int> = []
  private var count = 0
  package private(set) var report = Report()
  package var trace: ((String) -> Void)?

  /// A world that begins on `seed`.
  package init(seed: UInt64, stepsMost: Int) throws {
    dice = Dice(seed: seed)
    climate = Climate(
      drawnBy: &dice, devices: 2...5, stepsMost: stepsMost, stepsPerStep: Self.stepsPerStep)
    let usual: Odds<Deed> = Odds([
      .post: 2, .comment: 4, .delete: 3, .trespass: 1, .look: 2, .refresh: 1, .fault: 1, .tick: 1,
      .progress: 85,
    ])
    deeds = usual.drawn(by: &dice, needed: [.post, .comment, .delete, .progress])
    faults = Fault.usual.drawn(by: &dice, needed: [.cut])
    broker = try SimulatedBroker(cascades: climate.cascades, dice: &dice)
    let people = Self.people.prefix(1 + dice.below(3))
    for index in 0..<climate.devices {
      let settings = DeviceSettings(
        accountName: people[index % people.count], deviceName: "device-\(index)",
        hasTimeline: true)
      try add(
        SimulatedDevice(index: index, bundled: [], settings: settings, now: now, dice: &dice))
    }
  }

  /// Plays the steps with faults, then until everything is quiet, and checks what must be true then.
  /// - Throws: `InvariantViolation`, or whatever a store threw.
  package mutating func run() throws {
    for _ in 0..<climate.steps { try step() }
    try settleDown()
    let checkers = TimelineCheckers(history: history, memory: memory)
    for device in devices { try checkers.isLevel(device, broker) }
    try checkers.nothingVanished(devices)
    try checkers.filesAreThere(broker, devices)
    try history.checkNothingIsLeftBehind()
    report.steps = climate.steps
    report.commits = history.entries.count
    report.wentAlong = history.wentAlong
    report.made = memory.made.count
  }

  private mutating func step() throws {
    let index = dice.below(devices.count)
    switch deeds.next(&dice) {
    case .post: try post(on: index)
    case .comment: try comment(on: index)
    case .delete: try delete(on: index)
    case .trespass: try trespass(on: index)
    case .look: try look(at: index)
    case .refresh: try perform(devices[index].replica.refreshTimeline(id: nil, now: now), of: index)
    case .fault: try fault()
    case .tick: try tick()
    case .progress: if try !advance() { try post(on: index) }
    }
  }

  // MARK: People

  private mutating func post(on index: Int) throws {
    count += 1
    // A photo that others may post too: then both send the same file.
    let seed = dice.happens(percent: 20) ? dice.below(3) : 1000 + count
    let content = SimulatedDisk.photo(seed, byteCount: 1 + dice.below(4) * 30_000)
    let asset = Asset(SimulatedDisk.digest(of: content), sizeBytes: content.count)
    devices[index].files[asset.id] = content
    let (name, actions) = try devices[index].replica.post(
      PostedPhoto(asset: asset, mediaType: "image/png", width: 3, height: 2),
      caption: CommentText("caption \(count)", field: "caption"), now: now, using: &dice)
    trace?("device \(index) posts \(name)")
    memory.made.append(.init(device: index, name: name, post: nil))
    try perform(actions, of: index)
    guard try devices[index].replica.reader.comments(of: name).comments.count == 1 else {
      throw InvariantViolation("I7", "device \(index) posted \(name), and its caption is not there")
    }
  }

  private mutating func comment(on index: Int) throws {
    guard let post = try shown(on: index).randomElement(using: &dice) else { return }
    count += 1
    let (name, actions) = try devices[index].replica.comment(
      on: post.post.id, CommentText("comment \(count)", field: "text"), now: now, using: &dice)
    trace?("device \(index) comments on \(post.post.id): \(name)")
    memory.made.append(.init(device: index, name: name, post: post.post.id))
    try perform(actions, of: index)
    guard try devices[index].replica.reader.comment(named: name) != nil else {
      throw InvariantViolation("I7", "device \(index) said \(name), and it is not there")
    }
  }

  /// Deletes a post, or a comment, of one's own; mostly a post that is on the broker, with which others'
  /// comments go.
  private mutating func delete(on index: Int) throws {
    let reader = devices[index].replica.reader
    let posts = try shown(on: index)
    let isAnyState = dice.happens(percent: 30)
    let names =
      dice.happens(percent: 70)
      ? posts.filter { $0.isOwn && (isAnyState || $0.state == .synced) }.map(\.post.id)
      : try posts.flatMap { try reader.comments(of: $0.post.id).comments }.filter(\.isOwn)
        .map(\.comment.id)
    guard let name = names.randomElement(using: &dice) else { return }
    trace?("device \(index) deletes \(name)")
    memory.deleted[name, default: []].insert(index)
    try perform(devices[index].replica.delete(timeline: name, now: now), of: index)
  }

  /// Tries to delete what is somebody else's, also past the device's own rules.
  private mutating func trespass(on index: Int) throws {
    guard let post = try shown(on: index).filter({ !$0.isOwn }).randomElement(using: &dice) else {
      return
    }
    do {
      _ = try devices[index].replica.delete(timeline: post.post.id, now: now)
      throw InvariantViolation("I24", "device \(index) deletes somebody else's \(post.post.id)")
    } catch let error as RecordsError {
      guard error.code == .permissionFailure else { throw error }
    }
    trace?("device \(index) tries to delete \(post.post.id)")
    memory.trespasses[index, default: []].insert(post.post.id)
    try perform(
      devices[index].replica.edit([.delete(post.record.id, version: nil)], now: now), of: index)
  }

  private mutating func look(at index: Int) throws {
    try memory.look(at: devices[index], history)
  }

  private func shown(on index: Int) throws -> [PostView] {
    try devices[index].replica.reader.posts(PostQuery(limit: 1000)).posts
  }

  // MARK: What is looked at

  mutating func took(_ request: StorageRequest, _ result: StorageResult) throws {
    try history.take(request, result)
    if let trace, let described = result.described { trace(described) }
    guard case .client(.modify(let modify), let context) = request else { return }
    for group in modify.groups where group.zone.isPublic {
      for case .delete(let delete) in group.operations {
        try memory.check(delete.name, isDeletedBy: context.identity.account, in: history)
      }
    }
  }

  mutating func heard(_ message: BrokerMessage, by index: Int) throws {}

  mutating func readTimeline(_ ending: TimelineSync.Ending, on index: Int) throws {
    guard ending == .done, following.insert(index).inserted else { return }
    try perform(devices[index].replica.followTimeline(now: now), of: index)
  }

  mutating func restarted(_ index: Int) throws {
    following.remove(index)
  }

  func isUnsettled(_ device: SimulatedDevice) throws -> Bool {
    device.replica.isReadingTimeline || device.timers[.timeline] != nil
      || !following.contains(device.index)
  }

  mutating func collect() throws {
    try collectFiles(graceSeconds: Self.graceSeconds)
    try TimelineCheckers(history: history, memory: memory).filesAreThere(broker, devices)
  }

  mutating func reap() throws {
    try reapTombstones()
  }
}
