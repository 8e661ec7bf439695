// A running ssh client. Its standard input and output are one end of a pair of sockets; the other end is the
// channel of the link.

import Glibc
import Records
import Subprocess
import Synchronization
import SystemPackage

/// An ssh client process that runs `contacts-broker connect` on a server.
struct SSHProcess: Sendable {
  /// How the process ended.
  enum Ending: Hashable, Sendable {
    /// It exited. `message` has the last bytes that it printed on standard error.
    case exited(CInt, message: [UInt8])
    /// A signal ended it, or it was terminated.
    case killed
    /// There is no such program.
    case notInstalled
    /// It could not be started, for this reason.
    case notStarted(String)
  }

  /// The number of bytes of its messages that are kept, the latest ones.
  private static let messageBytesMaximum = 4 << 10
  /// The time between SIGTERM and SIGKILL.
  private static let grace = Duration.seconds(1)

  /// Our end of the pair of sockets. The owner closes it.
  let socket: CInt
  private let running: Task<Ending, Never>

  /// Starts ssh.
  /// - Throws: `serviceUnavailable` if no more files can be opened.
  init(_ destination: SSHDestination) throws(RecordsError) {
    var pair: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
      throw RecordsError(
        .serviceUnavailable, "Cannot start ssh: no more files can be opened.", retryAfterSeconds: 5)
    }
    socket = pair[0]
    let (arguments, childSocket) = (destination.arguments, pair[1])
    // The task ends with the process, which this value can terminate.
    running = Task { await Self.run(arguments, socket: childSocket) }
  }

  /// Waits until the process has ended.
  func ending() async -> Ending { await running.value }

  /// Ends the process, and those that it started, within a second.
  func terminate() { running.cancel() }

  private static func run(_ arguments: [String], socket: CInt) async -> Ending {
    var options = PlatformOptions()
    // A group of its own: a program that ssh starts, such as a ProxyCommand, ends with it.
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: grace)
    ]
    let messages = Messages()
    let file = FileDescriptor(rawValue: socket)
    var isOpen = true
    // While this process holds the other end, it does not see that ssh has closed it.
    defer { if isOpen { close(socket) } }
    do {
      let result = try await Subprocess.run(
        .name("ssh"), arguments: Arguments(arguments), environment: environment,
        platformOptions: options, input: .fileDescriptor(file, closeAfterSpawningProcess: false),
        output: .fileDescriptor(file, closeAfterSpawningProcess: false), error: .sequence
      ) { execution in
        close(socket)
        isOpen = false
        for try await chunk in execution.standardError {
          chunk.withUnsafeBytes { messages.append($0) }
        }
      }
      // NB: ssh exits with 255 also when it is terminated.
      guard case .exited(let status) = result.terminationStatus, !Task.isCancelled else {
        return .killed
      }
      return .exited(status, message: messages.bytes)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      return .notInstalled
    } catch {
      return Task.isCancelled ? .killed : .notStarted("\(error)")
    }
  }

  /// The environment without the variables that systemd meant for this process alone.
  private static var environment: Environment {
    let own: [Environment.Key] = [
      "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_USEC",
      "WATCHDOG_PID",
    ]
    return .inherit.updating(Dictionary(uniqueKeysWithValues: own.map { ($0, nil) }))
  }
}

extension SSHProcess {
  /// The end of what a process has printed.
  private final class Messages: Sendable {
    private let kept = Mutex<[UInt8]>([])
    var bytes: [UInt8] { kept.withLock { $0 } }

    func append(_ chunk: UnsafeRawBufferPointer) {
      kept.withLock {
        $0 += chunk
        $0.removeFirst(max(0, $0.count - messageBytesMaximum))
      }
    }
  }
}
