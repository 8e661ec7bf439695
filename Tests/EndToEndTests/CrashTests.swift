import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B6, I1, I2, I8, I9 kill -9 under load")
  struct CrashTests {
    @Test func `no acknowledged write is lost and no database needs repair`() async throws {
      let world = try await World()
      let devices = ["l": world.laptop.requests, "p": world.phone.requests]
      let ledgers = try await LedgerWriter.write(on: devices) {
        for round in 0..<kills {
          try await Task.sleep(for: .milliseconds(Int.random(in: 50...400)))
          try await kill(round, of: world)
        }
      }
      let contacts = try await world.settle()
      for ledger in ledgers {
        #expect(!ledger.companies.isEmpty)
        #expect(ledger.broken(in: contacts) == [])
      }
      #expect(contacts.filter { BundledIDs.all.contains($0.id) }.count == 10)
      let attempts = ledgers.reduce(0) { $0 + $1.attempts.count }
      #expect(contacts.count - 10 <= attempts)
    }

    private func kill(_ round: Int, of world: World) async throws {
      switch round % 3 {
      case 0:
        try await world.broker.kill()
        try await world.broker.restart()
      case 1:
        try await world.laptop.kill()
        try await world.laptop.restart()
      default:
        try await world.phone.kill()
        try await world.phone.restart()
      }
    }

    @Test func `C5 a broker and two agents that are killed at once restart unchanged`()
      async throws
    {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Ann")
      let before = try await world.laptop.control("list", "--fields", "id").output
      try await world.phone.requests.setCompany(of: "bundled-1-01", to: "Of the phone")
      world.broker.program.send(9)
      try await world.laptop.kill()
      try await world.phone.kill()
      try await world.broker.kill()
      try await world.laptop.restart()
      try await world.phone.restart()
      #expect(try await world.laptop.requests.contact(id)?.firstName == "Ann")
      #expect(try await world.laptop.control("list", "--fields", "id").output == before)
      try await world.broker.restart()
      let contacts = try await world.settle()
      #expect(contacts.count == 11)
      #expect(contacts.first { $0.id == BundledIDs.id(1) }?.company == "Of the phone")
    }
  }
}
