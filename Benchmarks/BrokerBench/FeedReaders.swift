// Runs the C program feed_readers, which simulates many devices that only read.

import Foundation
import Measuring

/// A process with many devices that follow one zone.
struct FeedReaders {
  private let program: Program

  /// Starts `count` devices that follow the default zone, and waits until all have caught up.
  init(_ setting: BenchSetting, count: Int) throws {
    try self.init(
      setting,
      hellos: (0..<count).map {
        BenchDevice.helloFrame(name: "reader \($0)", follows: true)
      })
  }

  /// Starts a device for each hello frame, and waits until all have caught up.
  init(_ setting: BenchSetting, named name: String = "readers", hellos: [[UInt8]]) throws {
    let path = "\(setting.folder)/\(name)"
    try Data(hellos.flatMap(\.self)).write(to: URL(fileURLWithPath: path))
    program = try Program(
      setting.peers + "/feed_readers",
      [setting.usesTLS ? "\(setting.port ?? 0)" : setting.brokerSocket, path],
      log: path + ".log", usesPipes: true)
    guard try program.line() == "ready" else {
      throw BenchFailure("feed_readers did not report “ready”.")
    }
  }

  /// Makes all devices read until each has received everything up to `revision`.
  func follow(to revision: Int64) throws {
    try program.writeLine(String(revision))
  }

  /// Waits until they have, and returns the time of the last device in seconds of the monotonic clock.
  func doneAt() throws -> Double {
    guard let seconds = Double(try program.line()) else {
      throw BenchFailure("feed_readers did not report a time.")
    }
    return seconds
  }

  /// Terminates the process.
  func stop() { program.stop() }
}
