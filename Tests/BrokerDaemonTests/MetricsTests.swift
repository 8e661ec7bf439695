// The metrics page of a running broker.

import BrokerCore
import Foundation
import Processes
import Records
import Testing

@Suite("metrics", .timeLimit(.minutes(5)))
struct MetricsTests {
  private func ask(_ path: String, at socket: String) async throws -> String {
    let connection = try UnixSocket(path: socket)
    defer { connection.close() }
    _ = connection.sendSome(Array("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)[...])
    var text: [UInt8] = []
    try await Patience.wait(until: "the answer's end") {
      guard let bytes = connection.receiveSome() else { return true }
      text += bytes
      return false
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `commits, connections, jobs and the version are reported, and nothing else is served`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let socket = directory.file("m.sock")
    let broker = try RunningProgram(
      "contacts-broker", RunningBroker.arguments(in: directory) + ["--metrics", socket])
    try await Patience.wait(until: "the metrics' socket") {
      (try? UnixSocket(path: socket))?.close() != nil
    }
    let page = try await ask("/metrics", at: socket)
    #expect(page.hasPrefix("HTTP/1.1 200"))
    for line in [
      "# TYPE contacts_broker_commit_seconds histogram", "contacts_broker_connections 0",
      "contacts_broker_commit_seconds_bucket{le=\"+Inf\"}", "contacts_broker_info{version=",
    ] {
      #expect(page.contains(line), "\(line)")
    }
    for job in Job.allCases {
      for name in ["steps_total", "failures_total", "pending"] {
        let line = "contacts_broker_job_\(name){job=\"\(job.rawValue)\"} "
        #expect(page.contains(line), "\(line)")
      }
    }
    #expect(try await ask("/etc/passwd", at: socket).hasPrefix("HTTP/1.1 404"))
    broker.send(SIGTERM)
    #expect(try await broker.end() == 0)
    #expect(!FileManager.default.fileExists(atPath: socket))
  }
}
