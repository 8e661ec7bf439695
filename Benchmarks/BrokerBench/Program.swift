// A program of ours, run for one measurement in a folder of its own.

import Foundation
import Measuring

/// A running program.
final class Program {
  private let process = Process()
  /// What is written here reaches it, where it was asked for.
  let input = Pipe()
  /// What it prints.
  let output = Pipe()
  private var printed = Data()

  /// Starts the program at `path`; what it logs goes to `log`.
  init(_ path: String, _ arguments: [String], log: String, talks: Bool = false) throws {
    try Data().write(to: URL(fileURLWithPath: log))
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardError = FileHandle(forWritingAtPath: log)
    process.standardInput = talks ? input : FileHandle.nullDevice
    process.standardOutput = talks ? output : FileHandle.nullDevice
    try process.run()
  }

  /// The next line it prints.
  func line() throws -> String {
    while true {
      if let end = printed.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: printed[..<end], as: UTF8.self)
        printed = printed[printed.index(after: end)...]
        return line
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchFailure("A program ended early: \(process)") }
      printed.append(more)
    }
  }

  /// Writes a line to it.
  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// What it holds in memory, in KiB.
  func residentKibibytes() -> Double {
    Measurement.statusKibibytes("VmRSS", ofProcess: process.processIdentifier)
  }

  /// The most that it held in memory until now, in KiB.
  func peakKibibytes() -> Double {
    Measurement.statusKibibytes("VmHWM", ofProcess: process.processIdentifier)
  }

  /// Kills it without warning.
  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Ends it and waits until it is gone.
  func stop() {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }
}

extension BenchSetting {
  /// Starts a broker with an empty database and waits for its socket.
  func startBroker() throws -> Program {
    let state = folder + "/broker"
    try? FileManager.default.removeItem(atPath: state)
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try restartBroker()
  }

  /// Starts a broker over what the last one left, and waits for its socket.
  func restartBroker() throws -> Program {
    let state = folder + "/broker"
    let broker = try Program(
      programs + "/contacts-broker", ["--state", state, "--socket", brokerSocket],
      log: folder + "/broker.log")
    try wait("the broker's socket") { (try? StreamSocket(path: brokerSocket)) != nil }
    return broker
  }

  /// Waits until something is so; at most a minute.
  func wait(_ what: String, until isSo: () throws -> Bool) throws {
    let deadline = Measurement.monotonicSeconds() + 60
    while try !isSo() {
      guard Measurement.monotonicSeconds() < deadline else {
        throw BenchFailure("Waited in vain for \(what).")
      }
      usleep(20_000)
    }
  }
}
