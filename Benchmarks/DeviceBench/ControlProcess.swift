import Foundation
import Measuring

/// A program that runs to its end, with its output discarded.
struct ControlProcess {
  private let program: String

  init(_ program: String) {
    self.program = program
  }

  /// Runs the program, and returns the seconds that it took.
  ///
  /// NB: Foundation's Process notices the end of a process only every 50 ms, when its run loop checks.
  @discardableResult
  func run(_ arguments: [String]) throws -> Double {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    let words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    var status: Int32 = 0
    let start = Measurement.monotonicSeconds()
    let started = posix_spawn(
      &process, program, &files, nil, words + [UnsafeMutablePointer<CChar>?.none], environ)
    guard started == 0, waitpid(process, &status, 0) == process, status == 0 else {
      throw BenchFailure("\(program) failed.")
    }
    return Measurement.monotonicSeconds() - start
  }
}
