import DaemonKit
import Foundation
import Glibc
import RecordsWire

/// Copies bytes between the standard streams and the broker's socket.
struct StreamRelay: Sendable {
  private static let bufferBytes = 64 << 10

  private let socket: Int32

  /// Connects to the broker's socket.
  /// - Throws: `DaemonError` if no broker answers there, or if this user may not connect.
  init(socketPath path: String) throws(DaemonError) {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0, ListeningSocket.connect(socket, to: path) else {
      let number = errno
      if number == EACCES || number == EPERM {
        throw DaemonError(
          .notPermitted, "This user may not connect to the broker's socket “\(path)”.")
      }
      throw DaemonError(.unavailable, "No broker answers at “\(path)”.")
    }
  }

  /// Writes the preamble and copies in both directions until the broker closes the connection, or until the
  /// reader of standard output is gone.
  func run() {
    guard Self.write(ConnectPreamble.line[...], to: STDOUT_FILENO) else { return }
    Thread.detachNewThread {
      Self.copy(from: STDIN_FILENO, to: socket)
      // The broker closes the connection then, which ends the other direction.
      shutdown(socket, Int32(SHUT_WR))
    }
    Self.copy(from: socket, to: STDOUT_FILENO)
  }

  /// Copies until the end of the input, or until one of the two fails.
  private static func copy(from input: Int32, to output: Int32) {
    var buffer = [UInt8](repeating: 0, count: bufferBytes)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, write(buffer[..<count], to: output) else { return }
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to output: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
