// A broker with a full disk: known devices sign in and read, and their writes wait.

import Processes
import Records
import RecordsWire
import Testing

@Suite("I11 a full disk", .timeLimit(.minutes(2)))
struct FullDiskTests {
  @Test func `a known device signs in and reads, and a new one is asked to retry`() async throws {
    // The first start creates the database, which takes many calls.
    let directory = try TemporaryDirectory()
    try await RunningBroker(in: directory).kill()
    let broker = try await RunningBroker(
      in: directory, on: FailingDisk(.full, atCall: 300, of: "broker.sqlite"))
    var device = WireDevice()
    let client = try await device.connect(broker)
    var saved: Set<String> = []
    var refusal: RecordsError?
    while refusal == nil, saved.count < 100 {
      let name = "n\(saved.count)"
      let text = String(repeating: "x", count: 900)
      switch try await client.ask(.modify(device.request([.note(name, text: text)]))) {
      case .outcome: saved.insert(name)
      case .error(let error): refusal = error
      case let other: throw Unexpected(other)
      }
    }
    #expect(refusal?.code == .serviceUnavailable && !saved.isEmpty)
    let again = try await device.connect(broker, zones: .fromNothing)
    let (pages, _) = try await again.changesUntilLevel()
    #expect(Set(pages.flatMap(\.changes).map(\.name.text)) == saved)
    #expect(try await again.record("n0") != nil)
    let stranger = try WireClient(broker)
    _ = try await stranger.send(.hello(WireDevice(account: "bob").hello()))
    guard case .goodbye(let error)? = try await stranger.next()?.message else {
      Issue.record("The new device was let in.")
      return
    }
    #expect(error.code == .serviceUnavailable && error.retryAfterSeconds != nil)
  }
}
