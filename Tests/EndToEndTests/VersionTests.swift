import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B5 the programs print their versions")
  struct VersionTests {
    @Test(arguments: ["contacts-broker", "contactsd", "contactsctl"])
    func `--version prints one line and needs no configuration`(program: String) async throws {
      let result = try await Device.run(program, ["--version"])
      #expect(result.status == 0, "\(result.error)")
      #expect(result.output == "\(program) \(ProgramVersion.text)\n")
    }

    @Test func `doctor and the agent's log name both versions`() async throws {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      let rows = try await device.control("doctor").rows
      #expect(rows.contains(["ok", "version", ProgramVersion.text]))
      #expect(device.agent.standardError.contains("version=\(ProgramVersion.text)"))
    }
  }
}
