// Many devices that only read, in the C program feed_readers.

import Foundation
import Measuring

/// Devices that follow one zone.
struct FeedReaders {
  private let program: Program

  /// Starts so many that follow the standard zone, and waits until all have caught up.
  init(_ setting: BenchSetting, count: Int) throws {
    try self.init(
      setting,
      greetings: (0..<count).map {
        BenchDevice.greeting(name: "reader \($0)", follows: true)
      })
  }

  /// Starts one for each of these frames of greeting, and waits until all have caught up.
  init(_ setting: BenchSetting, named name: String = "readers", greetings: [[UInt8]]) throws {
    let path = "\(setting.folder)/\(name)"
    try Data(greetings.flatMap(\.self)).write(to: URL(fileURLWithPath: path))
    program = try Program(
      setting.peers + "/feed_readers", [setting.brokerSocket, path],
      log: path + ".log", talks: true)
    guard try program.line() == "ready" else { throw BenchFailure("The readers are confused.") }
  }

  /// Makes them read until each has been told everything up to a revision.
  func follow(to revision: Int64) throws {
    try program.tell(String(revision))
  }

  /// Waits until they have, and returns when that was.
  func doneAt() throws -> Double {
    guard let seconds = Double(try program.line()) else {
      throw BenchFailure("The readers are confused.")
    }
    return seconds
  }

  /// Ends them.
  func stop() { program.stop() }
}
