// A broker or an agent as a process that is measured.

import Foundation
import Measuring

/// A running program with a socket.
final class BenchProcess {
  private let process = Process()
  private let socket: String

  /// Starts the program and waits until its socket answers.
  init(_ program: String, _ arguments: [String], socket: String) throws {
    self.socket = socket
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = Measurement.monotonicSeconds() + 30
    while AgentSocket(path: socket) == nil {
      guard process.isRunning, Measurement.monotonicSeconds() < deadline else {
        stop()
        throw BenchFailure("\(program) does not come up.")
      }
      usleep(1000)
    }
  }

  deinit { stop() }

  /// A connection to its socket.
  func connection() throws -> AgentSocket {
    guard let connection = AgentSocket(path: socket) else {
      throw BenchFailure("Nobody answers at \(socket).")
    }
    return connection
  }

  /// The most it has held in memory, in KiB.
  var peakKibibytes: Double {
    Measurement.statusKibibytes("VmHWM", ofProcess: process.processIdentifier)
  }

  /// Ends it and waits until it is gone; one that is gone stays so.
  func stop() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }
}
