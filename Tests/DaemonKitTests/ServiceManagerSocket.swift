// A substitute for the socket that systemd reads. It never blocks: a test that blocks a thread of the pool
// delays all other tests.

import Foundation
import Glibc
import Testing

/// A bound datagram socket that receives a daemon's messages.
final class ServiceManagerSocket {
  /// The address in the form of `$NOTIFY_SOCKET`.
  let path: String

  private let directory: TemporaryDirectory
  private let descriptor: Int32

  /// A socket with a file, or one in the abstract namespace.
  init(isAbstract: Bool = false) throws {
    directory = try TemporaryDirectory()
    let file = directory.file("notify")
    path = isAbstract ? "@\(UUID().uuidString)" : file
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(bound == 0)
  }

  deinit { close(descriptor) }

  /// Returns the next message with the descriptor that came with it; `nil` if none has arrived.
  func receivedDescriptor() -> (text: String, descriptor: Int32)? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var control = [UInt8](repeating: 0, count: 64)
    var header = msghdr()
    let count = buffer.withUnsafeMutableBytes { buffer in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
        return withUnsafeMutablePointer(to: &part) { part in
          header.msg_iov = part
          header.msg_iovlen = 1
          header.msg_control = control.baseAddress
          header.msg_controllen = control.count
          return recvmsg(descriptor, &header, 0)
        }
      }
    }
    guard count >= 0, header.msg_controllen > 0 else { return nil }
    let passed = control.withUnsafeBytes {
      $0.load(fromByteOffset: MemoryLayout<cmsghdr>.size, as: Int32.self)
    }
    return (String(decoding: buffer.prefix(count), as: UTF8.self), passed)
  }

  /// Returns the next message; `nil` if none has arrived.
  func received() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
