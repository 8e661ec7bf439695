import Processes
import Testing

extension EndToEnd {
  @Suite("H1 passwords on the command line")
  struct CopyPasswordTests {
    @Test(arguments: [
      "postgresql://broker:secret@127.0.0.1:1/contacts",
      "postgresql://broker@127.0.0.1:1/contacts?password=secret",
    ])
    func `copy refuses an address with a password, and does not repeat it`(
      address: String
    ) async throws {
      let state = try TemporaryDirectory()
      let result = try await Device.run(
        "contacts-broker", ["copy", "--from", state.path, "--to", address])
      #expect(result.status == 64 && result.error.contains("passfile=FILE"), "\(result.error)")
      #expect(!result.error.contains("secret"))
    }

    @Test func `copy takes an address without one`() async throws {
      let state = try TemporaryDirectory()
      let result = try await Device.run(
        "contacts-broker",
        ["copy", "--from", state.path, "--to", "postgresql://broker@127.0.0.1:1/contacts"])
      #expect(!result.error.contains("passfile=FILE"), "\(result.error)")
    }
  }
}
