import Foundation
import Processes
import Records
import Testing

@Suite("C11 a client in Python, generated from the protocol", .timeLimit(.minutes(5)))
struct PythonClientTests {
  @Test func `the client saves, queries, subscribes and is notified`() async throws {
    let directory = try TemporaryDirectory()
    do {
      try await generate(from: file("Sources/RecordsWire"), into: directory)
    } catch {
      // A missing tool is not a failure of the broker; the report names the skipped test.
      withKnownIssue("Python and protobuf are not installed here; the client was not tried.") {
        throw error
      }
      return
    }
    let broker = try await RunningBroker()
    let client = try RunningProgram(
      "/usr/bin/python3", [file("examples/python/contacts_client.py"), broker.socketPath],
      environment: ["PYTHONPATH": directory.path, "PYTHONIOENCODING": "utf-8"])
    #expect(try await client.end() == 0, "\(client.standardError)")
    #expect(
      client.lines == [
        "saved with tag 1", "found nia Umeå",
        "notified FIRING_REASON_ENTERED Nia has moved to Lund {'city': 'Lund'}",
      ])
  }

  @Test func `the client is short enough to read`() throws {
    let text = try String(
      contentsOfFile: file("examples/python/contacts_client.py"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
  }

  private func generate(
    from schema: String, into directory: TemporaryDirectory
  ) async throws {
    for (program, arguments) in [
      (
        "/usr/bin/protoc",
        ["--proto_path=\(schema)", "--python_out=\(directory.path)", "records.proto"]
      ),
      ("/usr/bin/python3", ["-c", "import google.protobuf"]),
    ] {
      let running = try RunningProgram(program, arguments)
      guard try await running.end() == 0 else {
        throw RecordsError(.serviceUnavailable, "\(program): \(running.standardError)")
      }
    }
  }

  private func file(_ path: String) -> String {
    // Tests/BrokerDaemonTests/PythonClientTests.swift
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.appending(path: path).path
  }
}
