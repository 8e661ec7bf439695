// An agent over a prepared address book, without a broker: what is measured is what the device has.

import Foundation
import Measuring

/// A running agent.
final class AgentProcess {
  /// From the start of the process to the answer of its first page, in seconds.
  let startSeconds: Double
  /// The socket it answers at.
  let socket: String
  /// A connection to it.
  let connection: AgentSocket

  private let process = Process()

  /// Starts the program `agent` over the state directory `state`.
  init(_ agent: String, state: String) throws {
    socket = state + ".sock"
    process.executableURL = URL(fileURLWithPath: agent)
    process.arguments = [
      "--state", state, "--socket", socket, "--broker", state + ".none", "--account", "bench",
      "--device", "bench", "--locale", "en_US",
    ]
    process.standardError = FileHandle.nullDevice
    let start = Measurement.monotonicSeconds()
    try process.run()
    let deadline = start + 20
    var found: AgentSocket?
    while found == nil {
      found = AgentSocket(path: socket)
      guard found != nil || Measurement.monotonicSeconds() < deadline else { break }
      if found == nil { usleep(1000) }
    }
    guard let found else {
      process.terminate()
      throw BenchFailure("The agent does not come up.")
    }
    connection = found
    _ = try found.get("/v1/contacts?limit=50")
    startSeconds = Measurement.monotonicSeconds() - start
  }

  /// What the process holds in memory, in KiB.
  func residentKibibytes() -> Double {
    Measurement.statusKibibytes("VmRSS", ofProcess: process.processIdentifier)
  }

  /// Ends it and waits until it is gone.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
