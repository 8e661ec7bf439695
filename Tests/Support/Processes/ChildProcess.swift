// A process that this one starts and waits for. Foundation's `Process` learns of an end from a socket that the
// child inherits, so it is wrong about programs that close what they inherit, and a thread of its own waits for
// the ends of all of them.

import CSpawn
import Foundation
import Glibc
import Records
import Synchronization

/// A child of this process, which inherits three files and no signal settings.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum End: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)

    /// The exit status, or the negated signal.
    package var code: Int32 {
      switch self {
      case .exit(let status): status
      case .signal(let signal): -signal
      }
    }
  }

  /// The standard input, output and error of a child.
  package struct Files {
    package let input: FileHandle
    package let output: FileHandle
    package let error: FileHandle
  }

  /// The id of the process. It is not given to another one before its end was asked for.
  package let id: pid_t
  private let ended = Mutex<End?>(nil)

  /// Starts the program at `path` in a process group of its own.
  /// - Throws: `RecordsError` if it cannot be executed.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String], directory: String,
    files: Files
  ) throws {
    var child: pid_t = 0
    let words = Self.words([path] + arguments)
    let variables = Self.words(environment.map { "\($0)=\($1)" })
    defer { for word in words + variables { free(word) } }
    let code = directory.withCString { directory in
      let settings = child_settings(
        directory: directory,
        files: (files.input.fileDescriptor, files.output.fileDescriptor, files.error.fileDescriptor)
      )
      return spawn_child(&child, path, words, variables, settings)
    }
    guard code == 0 else {
      let reason = String(cString: strerror(code))
      throw RecordsError(.serviceUnavailable, "Cannot start \(path): \(reason).")
    }
    id = child
  }

  /// How the process ended; `nil` while it runs.
  package var end: End? {
    ended.withLock { end in
      if end == nil { end = Self.reap(id, WNOHANG) }
      return end
    }
  }

  /// Sends a signal to the process, unless its end is known.
  package func send(_ signal: Int32) {
    ended.withLock { if $0 == nil { kill(id, signal) } }
  }

  /// Blocks until the process has ended.
  @discardableResult
  package func wait() -> End {
    ended.withLock { end in
      while end == nil { end = Self.reap(id, 0) }
      return end ?? .exit(0)
    }
  }

  /// Returns how the process ended; `nil` if it runs, or a signal interrupted the call.
  private static func reap(_ id: pid_t, _ options: Int32) -> End? {
    var status: Int32 = 0
    let reaped = waitpid(id, &status, options)
    precondition(reaped >= 0 || errno == EINTR, "Only this object waits for its process.")
    guard reaped == id else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  private static func words(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { strdup($0) } + [nil]
  }
}
