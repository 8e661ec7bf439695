// A broker on a disk that fails at the n-th call: acknowledged writes survive, refused writes are not
// applied partially, and a request that is sent again takes effect once.

import Foundation
import Processes
import Records
import RecordsWire
import Testing

@Suite("B6, I1, I2, I4 disks that fail", .timeLimit(.minutes(5)))
struct DiskFaultTests {
  /// The numbers of the calls that fail; with `FAULTS`, all numbers up to that one. The third found a bug.
  static let calls =
    ProcessInfo.processInfo.environment["FAULTS"].flatMap { Int($0) }.map { Array(1...$0) }
    ?? [1, 3, 4, 11, 26, 45, 60, 61, 90, 131]

  @Test(arguments: FailingDisk.Kind.allCases)
  func `no acknowledged write is lost, whichever call of the disk fails`(kind: FailingDisk.Kind)
    async throws
  {
    var failures = 0
    for call in Self.calls {
      failures +=
        try await failsDuringWrites(on: FailingDisk(kind, atCall: call, of: "broker.sqlite"))
        ? 1 : 0
    }
    // The test is meaningless unless the disk has failed at least once.
    #expect(failures > 0)
  }

  /// Writes until the disk has failed, up to a number of times. Returns whether it failed.
  private func failsDuringWrites(on disk: FailingDisk) async throws -> Bool {
    let directory = try TemporaryDirectory()
    var device = WireDevice()
    var story = Story()
    if let broker = try? await RunningBroker(in: directory, on: disk) {
      try await write(over: broker, &device, &story)
      try? await broker.kill()
    } else {
      story.hasFailed = true
    }
    let broker = try await RunningBroker(in: directory)
    try await expect(story, of: &device, in: broker, disk)
    return story.hasFailed
  }

  /// A device's knowledge of its writes.
  private struct Story {
    var tags: [String: Revision] = [:]
    var waiting: (name: String, request: ModifyRequest)?
    var hasFailed = false
  }

  private func write(
    over broker: RunningBroker, _ device: inout WireDevice, _ story: inout Story
  ) async throws {
    guard let client = try? await device.connect(broker) else {
      story.hasFailed = true
      return
    }
    for number in 1...14 {
      let name = "n\(number)"
      let request = device.request([.note(name, text: String(repeating: "x", count: 900))])
      story.waiting = (name, request)
      guard let tag = try await answer(to: request, of: client, &story) else { return }
      story.tags[name] = tag
      story.waiting = nil
      device.acknowledged = request.number
    }
  }

  /// Sends a request until it has an outcome; returns `nil` if the broker has stopped or refuses it
  /// repeatedly.
  private func answer(
    to request: ModifyRequest, of client: WireClient, _ story: inout Story
  ) async throws -> Revision? {
    for _ in 0..<3 {
      let id = try await client.send(.modify(request))
      guard let frame = try await reply(to: id, of: client) else { break }
      switch frame.message {
      case .outcome(let outcome):
        guard case .saved(let tag)? = outcome.groups.first?.first else { break }
        return tag
      case .error(let error):
        #expect(error.retryAfterSeconds != nil, "\(error)")
        story.hasFailed = true
      default: throw Unexpected(frame.message)
      }
    }
    story.hasFailed = true
    return nil
  }

  private func reply(to id: UInt64, of client: WireClient) async throws -> BrokerFrame? {
    while let frame = try await client.next() {
      if frame.replyTo == id { return frame }
    }
    return nil
  }

  private func expect(
    _ story: Story, of device: inout WireDevice, in broker: RunningBroker, _ disk: FailingDisk
  ) async throws {
    var tags = story.tags
    let client = try await device.connect(broker)
    if let (name, request) = story.waiting {
      let outcome = try await client.outcome(of: request)
      guard case .saved(let tag)? = outcome.groups.first?.first else {
        throw Unexpected(.outcome(outcome))
      }
      tags[name] = tag
    }
    let reading = try await device.connect(broker, zones: .fromNothing)
    let (pages, _) = try await reading.changesUntilLevel()
    let found = Dictionary(
      uniqueKeysWithValues: pages.flatMap(\.changes).map { ($0.name.text, $0.tag) })
    #expect(found == tags, "\(disk)")
    // Each write has one revision, without gaps.
    let revisions = found.values.map(\.value).sorted()
    #expect(revisions == (0..<Int64(found.count)).map { $0 + 1 })
  }
}
