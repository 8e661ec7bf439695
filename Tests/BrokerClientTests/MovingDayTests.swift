import BrokerClient
import BrokerClientTesting
import Testing

@testable import moving_day

@Suite("K4 the tutorial's program", .timeLimit(.minutes(5)))
struct MovingDayTests {
  @Test func `one device hears who moved, another said so`() async throws {
    try await LocalBroker.run { broker in
      let phone = broker.container("moving-day", device: "phone")
      let laptop = broker.container("moving-day", device: "laptop")
      try await MovingDay.subscribe(phone, city: "Umeå")
      try await MovingDay.move("Nia", to: "Umeå", in: laptop)
      try await MovingDay.move("Oda", to: "Lund", in: laptop)
      try await MovingDay.move("Oda", to: "Umeå", in: laptop)
      var told: [String] = []
      try await MovingDay.watch(phone, count: 2) { told.append($0) }
      #expect(told == ["Nia has arrived", "Oda has arrived"])
    }
  }
}
