// One round: performs the operations of a seed, lets the devices settle and compares them.

import Foundation
import Processes
import Records

/// A round of random operations.
struct Round {
  let seed: UInt64
  let classes: Set<OperationClass>
  /// How long the devices may take to agree once all processes run.
  private static let agreementSeconds = 30.0
  static let operations = 60
  /// The time after which a device that connects merges contacts that are in two groups.
  private static let mergeSeconds = 65

  private var isShared: Bool { classes.contains(.sharing) && seed % 3 == 0 }

  /// Runs the round and returns the failures and the operations.
  func run() async throws -> RoundReport {
    var report = RoundReport(seed: seed, classes: classes)
    let world = try await ConvergenceWorld()
    try await world.running {
      try await world.start(isShared: isShared)
      var runner = OperationRunner(world, classes: classes)
      try await runner.begin()
      var generator = SplitMix(seed: seed)
      let plan = OperationPlan(
        count: Self.operations, devices: world.devices.count + (isShared ? 1 : 0),
        classes: classes, using: &generator)
      for operation in plan.operations { try await runner.perform(operation) }
      report.log = runner.log
      try await judge(world, &runner, &report)
      report.log = runner.log
    }
    if !report.isClean {
      report.agentLogs = world.devices.map { String($0.agent.standardError.suffix(3_000)) }
    }
    return report
  }

  private func judge(
    _ world: ConvergenceWorld, _ runner: inout OperationRunner, _ report: inout RoundReport
  ) async throws {
    var views = try await agreement(world, &report)
    let check = RoundCheck(oracle: runner.oracle, ids: runner.ids, world: world)
    if let found = views, !check.doubled(found).isEmpty {
      runner.note("in two groups, so everything connects again later: \(check.doubled(found))")
      try await Task.sleep(for: .seconds(Self.mergeSeconds))
      for device in world.devices.indices { try await world.restart(device) }
      views = try await agreement(world, &report)
    }
    guard let views else {
      report.failures += check.lists(try await Self.views(world))
      return
    }
    report.failures += check.lists(views)
    let missing = try await check.missing(runner.oracle.claims, in: views)
    report.failures += check.subjects(of: views[0])
    try await resolveAll(world, &runner, &report)
    guard !missing.isEmpty else { return }
    try await restoreTrash(world, &runner)
    guard let restored = try await agreement(world, &report) else { return }
    report.failures += try await check.missing(missing, in: restored).map(\.loss)
  }

  /// Restores every group and contact that a device has in its trash.
  private func restoreTrash(_ world: ConvergenceWorld, _ runner: inout OperationRunner) async throws
  {
    for device in world.devices {
      let groups = DeviceView.rows(try await DeviceView.object(device.requests, "trash")["groups"])
      for group in groups {
        let path = "groups/\(group["id", default: ""])/restore"
        runner.note("\(path): \(try await device.requests.send("POST", path).status)")
      }
      _ = try await device.requests.send("POST", "sync", #"{"waitSeconds":10}"#)
      let contacts = DeviceView.rows(try await DeviceView.object(device.requests, "trash")["trash"])
      for contact in contacts {
        let path = "trash/\(contact["id", default: ""])/restore"
        runner.note("\(path): \(try await device.requests.send("POST", path).status)")
      }
      _ = try await device.requests.send("POST", "sync", #"{"waitSeconds":10}"#)
    }
  }

  // MARK: Agreement

  /// Waits until all devices of the account show the same.
  private func agreement(
    _ world: ConvergenceWorld, _ report: inout RoundReport
  ) async throws -> [DeviceView]? {
    try await world.heal()
    let end = ContinuousClock.now + .seconds(Self.agreementSeconds)
    var differences: [String] = []
    while ContinuousClock.now < end {
      for device in world.devices + [world.guest].compactMap(\.self) {
        _ = try await device.requests.send("POST", "sync", #"{"waitSeconds":10}"#)
      }
      let views = try await Self.views(world)
      differences = try await Self.unrest(world) + Self.differences(views, world)
      if differences.isEmpty { return views }
      try await Task.sleep(for: .milliseconds(50))
    }
    report.failures += ["the devices do not agree:"] + differences
    return nil
  }

  private static func views(_ world: ConvergenceWorld) async throws -> [DeviceView] {
    var views: [DeviceView] = []
    for device in world.devices + [world.guest].compactMap(\.self) {
      views.append(try await DeviceView(of: device.requests))
    }
    return views
  }

  private static func unrest(_ world: ConvergenceWorld) async throws -> [String] {
    var sentences: [String] = []
    for device in world.devices + [world.guest].compactMap(\.self) {
      let status = try await device.requests.status()
      if status.state != "live" || status.waitingEdits > 0 {
        sentences.append("\(device.name) is \(status.state) with \(status.waitingEdits) edits")
      }
    }
    return sentences
  }

  private static func differences(_ views: [DeviceView], _ world: ConvergenceWorld) -> [String] {
    var sentences: [String] = []
    for index in 1..<world.devices.count {
      sentences += views[0].differences(
        from: views[index], (world.devices[0].name, world.devices[index].name))
    }
    guard let guest = world.guest, let group = world.sharedGroup, let last = views.last else {
      return sentences
    }
    return sentences
      + DeviceView.differences(
        "shared contact", views[0].shared(group), last.shared(group),
        (world.devices[0].name, guest.name))
  }

  // MARK: Resolution

  /// Resolves every remaining conflict, on one device after the other.
  private func resolveAll(
    _ world: ConvergenceWorld, _ runner: inout OperationRunner, _ report: inout RoundReport
  ) async throws {
    var generator = SplitMix(seed: seed ^ 0x5EED)
    for turn in 0..<8 {
      let device = turn % world.devices.count
      let requests = world.devices[device].requests
      let view = try await DeviceView(of: requests)
      guard !view.conflicts.isEmpty else { break }
      for conflict in view.conflicts {
        let operation = Operation(
          number: 1_000 + turn, kind: .resolve, device: device, choice: 0, other: 0)
        var keep = ["mine", "theirs", "both"].randomElement(using: &generator) ?? "theirs"
        var result = try await runner.resolve(
          conflict, keep: keep, in: view, on: requests, operation)
        if keep == "both", !result.hasSuffix(" 200") {
          keep = "theirs"
          result = try await runner.resolve(
            conflict, keep: keep, in: view, on: requests, operation)
        }
        // A conflict that an earlier resolution removed is not found.
        if !result.hasSuffix(" 200"), !result.hasSuffix(" 404") {
          report.failures.append("conflict \(conflict) cannot be resolved: \(result)")
        }
      }
      guard try await agreement(world, &report) != nil else { return }
    }
    for (device, view) in zip(world.devices, try await Self.views(world)) {
      for conflict in view.conflicts {
        report.failures.append("\(device.name) still shows the conflict \(conflict)")
      }
    }
    let views = try await Self.views(world)
    let check = RoundCheck(oracle: runner.oracle, ids: runner.ids, world: world)
    report.failures += check.lists(views).filter { !report.failures.contains($0) }
  }
}

/// A generator that gives the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xD1B5_4A32_D192_ED03 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
