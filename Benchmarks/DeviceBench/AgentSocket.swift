// The agent's HTTP interface over a blocking socket, so that the measurement contains little else.

import Foundation
import Measuring

/// A connection to an agent.
final class AgentSocket {
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  /// Connects to the agent at `path`. Returns `nil` if no agent answers.
  init?(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Returns the body at `path` and the seconds until it was complete.
  func get(_ path: String) throws -> (body: Data, seconds: Double) {
    try exchange(Array("GET \(path) HTTP/1.1\r\nHost: agent\r\n\r\n".utf8), about: path)
  }

  /// Posts `content` to `path` and returns the body of the answer.
  func post(_ path: String, _ content: Data, mediaType: String) throws -> Data {
    let head = """
      POST \(path) HTTP/1.1\r\nHost: agent\r\nContent-Type: \(mediaType)\r\n\
      Content-Length: \(content.count)\r\n\r\n
      """
    return try exchange(Array(head.utf8) + content, about: path).body
  }

  private func exchange(
    _ request: [UInt8], about path: String
  ) throws -> (body: Data, seconds: Double) {
    let start = Measurement.monotonicSeconds()
    var sent = 0
    while sent < request.count {
      let count = request.withUnsafeBytes { all in
        send(
          descriptor, all.baseAddress.map { $0 + sent }, request.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw BenchFailure("The agent closed the connection.") }
      sent += count
    }
    var received = Data()
    var end: Int?
    while end == nil || received.count < end ?? 0 {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw BenchFailure("The agent closed the connection.") }
      received.append(contentsOf: buffer[..<count])
      if end == nil { end = try Self.end(of: received) }
    }
    let seconds = Measurement.monotonicSeconds() - start
    guard received.starts(with: "HTTP/1.1 20".utf8),
      let head = received.range(of: Data("\r\n\r\n".utf8))
    else {
      throw BenchFailure("\(path): \(String(decoding: received.prefix(300), as: UTF8.self))")
    }
    return (received[head.upperBound...], seconds)
  }

  /// Returns the end of the response at the start of `received`, or `nil` until its head is complete.
  private static func end(of received: Data) throws -> Int? {
    guard let head = received.range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self).lowercased()
    guard let field = lines.range(of: "content-length: "),
      let length = Int(lines[field.upperBound...].prefix { $0.isNumber })
    else { throw BenchFailure("The agent's answer has no Content-Length.") }
    return head.upperBound + length
  }
}
