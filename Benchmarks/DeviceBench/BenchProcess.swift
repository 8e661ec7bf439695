import Foundation
import Measuring

/// A running broker or agent whose socket answers.
final class BenchProcess {
  private let process = Process()
  private let socket: String

  /// Starts the program and waits until its socket answers, at most 30 s.
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
        throw BenchFailure("\(program) did not start within 30 s.")
      }
      usleep(1000)
    }
  }

  deinit { stop() }

  /// Opens a connection to its socket.
  func connection() throws -> AgentSocket {
    guard let connection = AgentSocket(path: socket) else {
      throw BenchFailure("No program answers at \(socket).")
    }
    return connection
  }

  /// Its peak resident memory so far, in KiB.
  var peakKibibytes: Double {
    Measurement.statusKibibytes("VmHWM", ofProcess: process.processIdentifier)
  }

  /// The processor time that it has used so far, in its own code and in the kernel.
  var processorSeconds: Double {
    let path = "/proc/\(process.processIdentifier)/stat"
    let fields = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ") ?? []
    guard fields.count > 14 else { return 0 }
    return (Double(fields[13]) ?? 0) / 100 + (Double(fields[14]) ?? 0) / 100
  }

  /// Terminates it and waits until it has ended. Does nothing if it has ended already.
  func stop() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }
}
