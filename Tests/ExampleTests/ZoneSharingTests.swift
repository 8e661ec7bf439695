import BrokerClient
import BrokerClientTesting
import Processes
import Testing

@testable import zone_sharing

@Suite("Z2, Z3, Z6, K5 the example about sharing", .timeLimit(.minutes(5)))
struct ZoneSharingTests {
  @Test func `two users edit a shared list until its owner limits and ends the sharing`()
    async throws
  {
    try await LocalBroker.run { broker in
      let ada = ZoneSharing(container: broker.container("zone-sharing", account: "ada"))
      let ben = ZoneSharing(container: broker.container("zone-sharing", account: "ben"))
      try await ada.container.setDisplayName("Ada")
      let link = try await ada.share("Picnic")
      try await ada.add("Bread")
      #expect(try await ben.preview(link) == "Ada lets you add to “Picnic”.")
      let early = await #expect(throws: SharingProblem.self) { try await ben.dishes() }
      #expect(early == .noList)
      try await ben.accept(link)
      try await ben.add("Cake")
      let both = ["Bread, brought by Ada", "Cake, brought by ben"]
      #expect(try await ada.dishes() == both)
      #expect(try await ben.dishes() == both)
      try await ada.makeReadOnly()
      let limited = await #expect(throws: RecordsError.self) { try await ben.add("Figs") }
      #expect(limited?.code == .permissionFailure)
      #expect(try await ben.dishes() == both)
      try await ada.stopSharing()
      await #expect(throws: SharingProblem.self) { try await ben.dishes() }
      let after = ["Bread, brought by Ada", "Cake, brought by a former participant"]
      #expect(try await ada.dishes() == after)
    }
  }

  @Test func `a participant leaves the list`() async throws {
    try await LocalBroker.run { broker in
      let ada = ZoneSharing(container: broker.container("zone-sharing", account: "ada"))
      let ben = ZoneSharing(container: broker.container("zone-sharing", account: "ben"))
      try await ben.accept(try await ada.share("Picnic"))
      try await ada.makeReadOnly()
      try await ben.leave()
      await #expect(throws: SharingProblem.self) { try await ben.dishes() }
      #expect(try await ada.dishes().isEmpty)
    }
  }

  @Test func `the page shows the compiled program`() throws {
    let page = try ShownProgram(page: "Sources/BrokerClient/BrokerClient.docc/ZoneSharing.md")
    let shown = page.blocks.filter { $0.contains("func ") }
    #expect(shown.count == 5)
    #expect(try page.linesMissing(in: ["examples/ZoneSharing/ZoneSharing.swift"], of: shown) == [])
  }
}
