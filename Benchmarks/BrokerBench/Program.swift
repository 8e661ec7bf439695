import Foundation
import Measuring

/// A running program of the project, with its pipes and memory figures.
final class Program {
  private let process = Process()
  /// Standard input, if the program was started with `usesPipes`.
  let input = Pipe()
  /// Standard output, if the program was started with `usesPipes`.
  let output = Pipe()
  private var printed = Data()

  /// Starts the program at `path`, with its standard error in the file `log`.
  init(_ path: String, _ arguments: [String], log: String, usesPipes: Bool = false) throws {
    try Data().write(to: URL(fileURLWithPath: log))
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardError = FileHandle(forWritingAtPath: log)
    process.standardInput = usesPipes ? input : FileHandle.nullDevice
    process.standardOutput = usesPipes ? output : FileHandle.nullDevice
    try process.run()
  }

  /// Waits for the next line of its output and returns it.
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

  /// Writes a line to its standard input.
  func writeLine(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Returns its resident memory, in KiB.
  func residentKibibytes() -> Double {
    Measurement.statusKibibytes("VmRSS", ofProcess: process.processIdentifier)
  }

  /// Returns its peak resident memory so far, in KiB.
  func peakKibibytes() -> Double {
    Measurement.statusKibibytes("VmHWM", ofProcess: process.processIdentifier)
  }

  /// Returns the processor time that it has used so far, in seconds.
  func processorSeconds() -> Double {
    Measurement.processorSeconds(ofProcess: process.processIdentifier)
  }

  /// Kills it with SIGKILL and waits until it has ended.
  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Terminates it with SIGTERM and waits until it has ended.
  func stop() {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }
}

extension BenchSetting {
  /// Starts a broker with an empty database and waits for its socket.
  func startBroker() throws -> Program {
    let state = "\(folder)/\(broker)"
    try? FileManager.default.removeItem(atPath: state)
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try restartBroker()
  }

  /// Starts several brokers with empty state directories. They use one database, that of the environment's setting.
  func startBrokers(_ count: Int) throws -> [Program] {
    try (0..<count).map { try broker($0).startBroker() }
  }

  /// Starts a broker with the existing database, and waits for its socket.
  func restartBroker() throws -> Program {
    let state = "\(folder)/\(broker)"
    // All devices have one address here, and connect at once.
    let settings = state + ".conf"
    try Data("unauthenticatedPerAddress = 20000\n".utf8).write(to: URL(fileURLWithPath: settings))
    let listen = port.map { ["--listen", "127.0.0.1:\($0)"] } ?? []
    let program = try Program(
      programs + "/contacts-broker",
      ["--state", state, "--socket", brokerSocket, "--config", settings] + listen,
      log: state + ".log")
    try wait("the broker's socket") { (try? StreamSocket(path: brokerSocket)) != nil }
    if let port { try wait("the broker's port") { (try? StreamSocket(port: port)) != nil } }
    return program
  }

  /// Waits until `condition` is true, at most a minute.
  func wait(_ what: String, until condition: () throws -> Bool) throws {
    let deadline = Measurement.monotonicSeconds() + 60
    while try !condition() {
      guard Measurement.monotonicSeconds() < deadline else {
        throw BenchFailure("Waited for \(what) for 60 s without success.")
      }
      usleep(20_000)
    }
  }
}
