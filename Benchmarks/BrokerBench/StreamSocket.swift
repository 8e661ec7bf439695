// A blocking socket, so that a measurement contains the programs and no event loop of a client.

import Foundation
import Measuring

/// A connected stream socket.
final class StreamSocket {
  /// The file descriptor, for `poll`.
  let descriptor: Int32
  private var buffer: [UInt8]
  private var tls: TLSStream?

  /// Connects to the socket at `path`. One read returns at most `bufferBytes`.
  init(path: String, bufferBytes: Int = 1 << 17) throws {
    buffer = [UInt8](repeating: 0, count: bufferBytes)
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw BenchFailure("The socket path is too long: \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw BenchFailure("No program answers at \(path).")
    }
    limitWaits()
  }

  /// Connects to a port of the loopback interface over TLS.
  init(port: Int, bufferBytes: Int = 1 << 17) throws {
    buffer = [UInt8](repeating: 0, count: bufferBytes)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw BenchFailure("No program listens on port \(port).")
    }
    limitWaits()
    var yes: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    tls = try TLSStream(self)
  }

  deinit { close(descriptor) }

  /// Makes a read fail that would wait for a minute: a measurement ends with an error then, and does not hang.
  private func limitWaits() {
    var limit = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  private static let patienceSeconds = 60

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws {
    if let tls { try tls.write(bytes) } else { try writePlain(bytes) }
  }

  /// Waits for bytes and returns them.
  func read() throws -> ArraySlice<UInt8> {
    if let tls { try tls.read() } else { try readPlain() }
  }

  /// Writes all bytes to the socket itself.
  func writePlain(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        Glibc.send(
          descriptor, all.baseAddress.map { $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw BenchFailure("The other side closed the connection.") }
      sent += count
    }
  }

  /// Waits for bytes of the socket itself and returns them.
  func readPlain() throws -> ArraySlice<UInt8> {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else {
      throw BenchFailure("Nothing was received: \(String(cString: strerror(errno))).")
    }
    guard count > 0 else { throw BenchFailure("The other side closed the connection.") }
    return buffer[..<count]
  }
}

extension BenchSetting {
  /// Waits until at least one socket has bytes, and returns for each socket whether it has.
  func readable(_ sockets: [StreamSocket], milliseconds: Int32) throws -> [Bool] {
    var polls = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, nfds_t(polls.count), milliseconds) >= 0 else {
      throw BenchFailure("Waiting for sockets failed.")
    }
    return polls.map { $0.revents != 0 }
  }
}
