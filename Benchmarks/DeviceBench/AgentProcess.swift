// An agent with a prepared address book and without a broker, so that only the device is measured.

import Foundation
import Measuring

/// A running agent.
final class AgentProcess {
  /// The seconds from the start of the process to the answer with its first page.
  let startSeconds: Double
  /// The path of its socket.
  let socket: String
  /// A connection to it.
  let connection: AgentSocket

  private let process = Process()

  /// Starts the program `agent` with the state directory `state`.
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
      throw BenchFailure("The agent did not start within 20 s.")
    }
    connection = found
    _ = try found.get("/v1/contacts?limit=50")
    startSeconds = Measurement.monotonicSeconds() - start
  }

  /// Returns the resident memory of the process, in KiB.
  func residentKibibytes() -> Double {
    Measurement.statusKibibytes("VmRSS", ofProcess: process.processIdentifier)
  }

  /// Terminates it and waits until it has ended.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
