import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B5 the programs say which version they are")
  struct VersionTests {
    @Test(arguments: ["contacts-broker", "contactsd", "contactsctl"])
    func `--version prints one line and needs nothing to run`(program: String) async throws {
      let said = try await Device.said(program, ["--version"])
      #expect(said.status == 0, "\(said.error)")
      #expect(said.output == "\(program) \(ProgramVersion.text)\n")
    }

    @Test func `doctor says it of both sides, and the agent's log too`() async throws {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      let rows = try await device.control("doctor").rows
      #expect(rows.contains(["ok", "version", ProgramVersion.text]))
      #expect(device.agent.standardError.contains("version=\(ProgramVersion.text)"))
    }
  }
}
