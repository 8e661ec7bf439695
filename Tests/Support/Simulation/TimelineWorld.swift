// A simulated world of a timeline: several people post photos and comment on posts on devices that may be
// offline. They delete their own posts, with the comments on them, and try to delete those of other accounts.
// Sockets end and processes crash. No device ever shows a comment without its post, or shows a deleted post
// again. In the end every device shows what the broker has, photos included, and nothing that was posted is
// lost.

import BrokerCore
import DeviceStore
import Records
import RecordsWire
import SyncCore
import Timeline
import TimelineStore

/// A simulated world of a timeline.
package struct TimelineWorld: DeviceWorld {
  /// The results of a run.
  package struct Report: Sendable {
    /// Steps performed.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// Comments that were deleted with their posts.
    package var cascadedDeletions = 0
    /// Posts and comments created.
    package var made = 0
  }

  private enum Action: Hashable, Sendable {
    case post, comment, delete, deleteOthersRecord, look, refresh, fault, tick, progress
  }

  private static let people = ["ada", "bob", "eve"]
  private static let graceSeconds: Int64 = 1800
  /// Deleting a post that was never sent deletes no comments, so people act less often here, and for longer.
  private static let stepsPerStep = 2.0

  private let climate: Climate
  private let actionOdds: Odds<Action>
  let faults: Odds<Fault>
  var generator: SimulationGenerator
  var broker: SimulatedBroker
  var devices: [SimulatedDevice] = []
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  var lastConnection = 0
  var milliseconds: Int64 = 0
  var hasFaults = true
  var crashes = 0
  private(set) var history = History()
  private(set) var memory = TimelineMemory()
  /// The devices that have subscribed to posts and comments since they started.
  private var following: Set<Int> = []
  private var count = 0
  package private(set) var report = Report()
  package var trace: ((String) -> Void)?

  /// Creates the world of `seed`.
  package init(seed: UInt64, stepsMaximum: Int) throws {
    generator = SimulationGenerator(seed: seed)
    climate = Climate(
      drawnBy: &generator, devices: 2...5, stepsMaximum: stepsMaximum,
      stepsPerStep: Self.stepsPerStep)
    let usual: Odds<Action> = Odds([
      .post: 2, .comment: 4, .delete: 3, .deleteOthersRecord: 1, .look: 2, .refresh: 1, .fault: 1,
      .tick: 1,
      .progress: 85,
    ])
    actionOdds = usual.drawn(by: &generator, needed: [.post, .comment, .delete, .progress])
    faults = Fault.usual.drawn(by: &generator, needed: [.cut])
    broker = try SimulatedBroker(cascades: climate.cascades, generator: &generator)
    let people = Self.people.prefix(1 + generator.below(3))
    for index in 0..<climate.devices {
      let settings = DeviceSettings(
        container: "contacts", accountName: people[index % people.count],
        deviceName: "device-\(index)",
        readsPublicRecords: true)
      try add(
        SimulatedDevice(
          index: index, bundled: [], settings: settings, now: now, generator: &generator))
    }
  }

  /// Performs the steps with faults, lets the world settle and checks it.
  /// - Throws: `InvariantViolation`, or an error of a store.
  package mutating func run() throws {
    for _ in 0..<climate.steps { try step() }
    try settleDown()
    let checkers = TimelineCheckers(history: history, memory: memory)
    for device in devices { try checkers.isCurrent(device, broker) }
    try checkers.nothingVanished(devices)
    try checkers.filesAreThere(broker, devices)
    try history.checkNoDanglingReferences()
    report.steps = climate.steps
    report.commits = history.entries.count
    report.cascadedDeletions = history.cascadedDeletions
    report.made = memory.made.count
  }

  private mutating func step() throws {
    let index = generator.below(devices.count)
    switch actionOdds.next(&generator) {
    case .post: try post(on: index)
    case .comment: try comment(on: index)
    case .delete: try delete(on: index)
    case .deleteOthersRecord: try deleteOthersRecord(on: index)
    case .look: try look(at: index)
    case .refresh:
      try perform(devices[index].replica.refreshPublicRecords(id: nil, now: now), of: index)
    case .fault: try fault()
    case .tick: try tick()
    case .progress: if try !advance() { try post(on: index) }
    }
  }

  // MARK: People

  private mutating func post(on index: Int) throws {
    count += 1
    // A photo that other devices may post too, so that several send the same file.
    let seed = generator.happens(percent: 20) ? generator.below(3) : 1000 + count
    let content = SimulatedDisk.photo(seed, byteCount: 1 + generator.below(4) * 30_000)
    let asset = Asset(SimulatedDisk.digest(of: content), sizeBytes: content.count)
    devices[index].files[asset.id] = content
    let (name, actions) = try devices[index].replica.post(
      PostedPhoto(asset: asset, mediaType: "image/png", width: 3, height: 2),
      caption: CommentText("caption \(count)", field: "caption"), now: now, using: &generator)
    trace?("device \(index) posts \(name)")
    memory.made.append(.init(device: index, name: name, post: nil))
    try perform(actions, of: index)
    guard try devices[index].replica.reader.comments(of: name).comments.count == 1 else {
      throw InvariantViolation("I7", "device \(index) posted \(name) and does not show its caption")
    }
  }

  private mutating func comment(on index: Int) throws {
    guard let post = try shown(on: index).randomElement(using: &generator) else { return }
    count += 1
    let (name, actions) = try devices[index].replica.comment(
      on: post.post.id, CommentText("comment \(count)", field: "text"), now: now, using: &generator)
    trace?("device \(index) comments on \(post.post.id): \(name)")
    memory.made.append(.init(device: index, name: name, post: post.post.id))
    try perform(actions, of: index)
    guard try devices[index].replica.reader.comment(named: name) != nil else {
      throw InvariantViolation("I7", "device \(index) posted \(name) and does not show it")
    }
  }

  /// Deletes a post or comment of the device's account, usually a post on the broker, which deletes the
  /// comments of other accounts too.
  private mutating func delete(on index: Int) throws {
    let reader = devices[index].replica.reader
    let posts = try shown(on: index)
    let isAnyState = generator.happens(percent: 30)
    let names =
      generator.happens(percent: 70)
      ? posts.filter { $0.isOwn && (isAnyState || $0.state == .synced) }.map(\.post.id)
      : try posts.flatMap { try reader.comments(of: $0.post.id).comments }.filter(\.isOwn)
        .map(\.comment.id)
    guard let name = names.randomElement(using: &generator) else { return }
    trace?("device \(index) deletes \(name)")
    memory.deleted[name, default: []].insert(index)
    try perform(devices[index].replica.delete(timeline: name, now: now), of: index)
  }

  /// Tries to delete a record of another account, sometimes bypassing the device's own checks.
  private mutating func deleteOthersRecord(on index: Int) throws {
    guard let post = try shown(on: index).filter({ !$0.isOwn }).randomElement(using: &generator)
    else {
      return
    }
    do {
      _ = try devices[index].replica.delete(timeline: post.post.id, now: now)
      throw InvariantViolation("I24", "device \(index) deletes another account's \(post.post.id)")
    } catch let error as RecordsError {
      guard error.code == .permissionFailure else { throw error }
    }
    trace?("device \(index) tries to delete \(post.post.id)")
    memory.attemptedDeletions[index, default: []].insert(post.post.id)
    try perform(
      devices[index].replica.edit([.delete(post.record.id, version: nil)], now: now), of: index)
  }

  private mutating func look(at index: Int) throws {
    try memory.look(at: devices[index], history)
  }

  private func shown(on index: Int) throws -> [PostView] {
    try devices[index].replica.reader.posts(PostQuery(limit: 1000)).posts
  }

  // MARK: Checks

  mutating func executed(_ request: StorageRequest, _ result: StorageResult) throws {
    try history.take(request, result)
    if let trace, let described = result.described { trace(described) }
    guard case .client(.modify(let modify), let context) = request else { return }
    for group in modify.groups where group.zone.isPublic {
      for case .delete(let delete) in group.operations {
        try memory.check(delete.name, isDeletedBy: context.identity.account, in: history)
      }
    }
  }

  mutating func received(_ message: BrokerMessage, by index: Int) throws {}

  mutating func readTimeline(_ outcome: PublicDatabaseSync.Outcome, on index: Int) throws {
    guard outcome == .done, following.insert(index).inserted else { return }
    try perform(devices[index].replica.saveOwnSubscriptions(now: now), of: index)
  }

  mutating func restarted(_ index: Int) throws {
    following.remove(index)
  }

  func isUnsettled(_ device: SimulatedDevice) throws -> Bool {
    device.replica.isReadingPublicRecords || device.timers[.publicReading] != nil
      || !following.contains(device.index)
  }

  mutating func collect() throws {
    try collectFiles(graceSeconds: Self.graceSeconds)
    try TimelineCheckers(history: history, memory: memory).filesAreThere(broker, devices)
  }

  mutating func expireTombstones() throws {
    try expireSomeTombstones()
  }
}
