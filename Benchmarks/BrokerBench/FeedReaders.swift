// Many devices that only read, in the C program feed_readers.

import Foundation
import Measuring

/// Devices that follow the standard zone.
struct FeedReaders {
  private let program: Program

  /// Starts so many and waits until all have caught up.
  init(_ setting: BenchSetting, count: Int) throws {
    let greetings = setting.folder + "/greetings"
    var bytes: [UInt8] = []
    for index in 0..<count {
      bytes += BenchDevice.greeting(name: "reader \(index)", follows: true)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: greetings))
    program = try Program(
      setting.peers + "/feed_readers", [setting.brokerSocket, greetings],
      log: setting.folder + "/readers.log", talks: true)
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
