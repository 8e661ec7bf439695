import BrokerClient
import BrokerClientTesting
import Processes
import Synchronization
import Testing

@testable import moving_day

@Suite("K4 the tutorial's program", .timeLimit(.minutes(5)))
struct MovingDayTests {
  @Test func `one device is notified of people that another device moves`() async throws {
    try await LocalBroker.run { broker in
      let phone = broker.container("moving-day", device: "phone")
      let laptop = broker.container("moving-day", device: "laptop")
      try await MovingDay.subscribe(phone, city: "Umeå")
      try await MovingDay.move("Nia", to: "Umeå", in: laptop)
      try await MovingDay.move("Oda", to: "Lund", in: laptop)
      try await MovingDay.move("Oda", to: "Umeå", in: laptop)
      let received = Mutex<[String]>([])
      try await MovingDay.watch(phone, count: 2) { line in received.withLock { $0.append(line) } }
      #expect(received.withLock { $0 } == ["Nia has arrived", "Oda has arrived"])
    }
  }

  @Test func `the tutorial shows the compiled program`() throws {
    let page = try ShownProgram(page: "Sources/BrokerClient/BrokerClient.docc/MovingDay.md")
    let shown = page.blocks.filter { $0.contains("static func") }
    #expect(shown.count == 3)
    #expect(try page.linesMissing(in: ["examples/MovingDay/MovingDay.swift"], of: shown) == [])
  }
}
