import Glibc
import Processes
import Records
import RecordsWire
import Testing

@Suite("T1, B6 cascades of a running broker", .timeLimit(.minutes(10)))
struct CascadeTests {
  private func comment(_ name: String) -> Operation {
    let post = Reference(record: RecordName(stored: "post"), action: .deleteSelf)
    return .save(
      Operation.Save(
        name: RecordName(stored: name), type: RecordType(stored: "Comment"), tag: nil,
        fields: EncodedRecord(["post": .reference(post)])))
  }

  /// Returns all records that a request deleted, and whether the cascade continues.
  private func cascaded(
    by number: RequestNumber, over client: WireClient
  ) async throws -> (names: [String], goesOn: Bool) {
    var names: [String] = []
    var next: Revision? = .zero
    var goesOn = false
    while let after = next {
      let answer = try await client.ask(.cascaded(.standard, by: number, after: after))
      guard case .cascaded(let page) = answer else { throw Unexpected(answer) }
      names += page.items.map(\.name.text)
      (next, goesOn) = (page.next, page.goesOn)
    }
    return (names, goesOn)
  }

  /// Creates a post with comments and deletes it. Returns the device and the request.
  private func deletedPost(
    _ broker: RunningBroker, comments count: Int
  ) async throws -> (device: WireDevice, request: ModifyRequest) {
    var device = WireDevice()
    let client = try await device.connect(broker)
    try await device.perform(.note("post"), over: client)
    for start in stride(from: 0, to: count, by: 400) {
      let comments = (start..<min(start + 400, count)).map { comment("c\($0)") }
      _ = try await client.outcome(of: device.request(comments))
    }
    let delete = Operation.Delete(name: RecordName(stored: "post"), tag: Revision(1))
    let request = device.request([.delete(delete)])
    let outcome = try await client.outcome(of: request)
    guard case .deleted(_, let cascaded)? = outcome.groups.first?.first else {
      throw Unexpected(.outcome(outcome))
    }
    #expect(cascaded.count == min(count, Limits.cascadePerTransaction))
    #expect(cascaded.goesOn == (count > Limits.cascadePerTransaction))
    return (device, request)
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `a broker that ends during a cascade continues it after restart, out of readers' sight`(
    signal: Int32
  ) async throws {
    let broker = try await RunningBroker()
    let count = Limits.cascadePerTransaction + 4000
    var (device, request) = try await deletedPost(broker, comments: count)
    for _ in 0..<3 {
      broker.program.send(signal)
      let status = try await broker.program.end(within: Patience.limit)
      #expect(status == (signal == SIGTERM ? 0 : -SIGKILL))
      try await broker.restart()
      var reader = WireDevice()
      let reading = try await reader.connect(broker, zones: .fromNothing)
      let (pages, _) = try await reading.changesUntilLevel()
      #expect(pages.flatMap(\.changes).filter { $0.kind == .saved }.isEmpty)
      #expect(try await reading.record("c\(count - 1)")?.kind != .saved)
    }
    let client = try await device.connect(broker)
    var found = try await cascaded(by: request.number, over: client)
    while found.goesOn { found = try await cascaded(by: request.number, over: client) }
    #expect(Set(found.names) == Set(["post"] + (0..<count).map { "c\($0)" }))
    #expect(found.names.count == count + 1, "each was deleted once")
    let again = try await client.outcome(of: request)
    #expect(again.number == request.number)
  }
}
