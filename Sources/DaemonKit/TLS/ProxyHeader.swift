// The header by which a proxy names the client of a connection that it passes on, before the client's first byte: the
// PROXY protocol of HAProxy, versions 1 and 2.

import Glibc
import Records

/// The header of a connection that came through a proxy.
package struct ProxyHeader: Hashable, Sendable {
  /// The client's network; `nil` if the proxy names none, as for a connection of its own that checks the server.
  package let client: RemoteNetwork?
  /// The number of bytes of the header.
  package let byteCount: Int

  /// What the first bytes of a connection are.
  package enum Reading: Hashable, Sendable {
    /// The header, as far as it has arrived.
    case incomplete
    case complete(ProxyHeader)
    /// No such header.
    case invalid
  }

  /// The maximum bytes of a header: more than any proxy sends with addresses and its own additions.
  package static let bytesMaximum = 2_048
  /// The maximum bytes of a header of version 1, with its line end.
  private static let lineBytesMaximum = 107
  private static let signature: [UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
  ]

  /// Reads the first bytes of a connection.
  package static func read(_ bytes: [UInt8]) -> Reading {
    if bytes.starts(with: signature) { return binary(bytes) }
    if bytes.starts(with: Array("PROXY ".utf8)) { return line(bytes) }
    let isBeginning =
      signature.starts(with: bytes) || Array("PROXY ".utf8).starts(with: bytes)
    return isBeginning ? .incomplete : .invalid
  }

  // MARK: Version 1

  private static func line(_ bytes: [UInt8]) -> Reading {
    guard let end = bytes.prefix(lineBytesMaximum).firstIndex(of: 0x0A) else {
      return bytes.count < lineBytesMaximum ? .incomplete : .invalid
    }
    guard end > 0, bytes[end - 1] == 0x0D else { return .invalid }
    let words = String(decoding: bytes[..<(end - 1)], as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    if words.count > 1, words[1] == "UNKNOWN" {
      return .complete(ProxyHeader(client: nil, byteCount: end + 1))
    }
    guard words.count == 6, let client = address(String(words[2]), kind: words[1]) else {
      return .invalid
    }
    return .complete(ProxyHeader(client: client, byteCount: end + 1))
  }

  private static func address(_ text: String, kind: Substring) -> RemoteNetwork? {
    var bytes = [UInt8](repeating: 0, count: 16)
    switch kind {
    case "TCP4" where inet_pton(AF_INET, text, &bytes) == 1:
      return RemoteNetwork(ipv4: Array(bytes[..<4]))
    case "TCP6" where inet_pton(AF_INET6, text, &bytes) == 1: return RemoteNetwork(ipv6: bytes)
    default: return nil
    }
  }

  // MARK: Version 2

  /// The signature, version and command, family and protocol, the length of the rest, then the addresses.
  private static func binary(_ bytes: [UInt8]) -> Reading {
    let fixedCount = signature.count + 4
    guard bytes.count >= fixedCount else { return .incomplete }
    let restCount = Int(bytes[14]) << 8 | Int(bytes[15])
    let byteCount = fixedCount + restCount
    guard byteCount <= bytesMaximum, bytes[12] == 0x20 || bytes[12] == 0x21 else { return .invalid }
    guard bytes.count >= byteCount else { return .incomplete }
    let isOwn = bytes[12] == 0x20
    let rest = Array(bytes[fixedCount..<byteCount])
    switch bytes[13] {
    case _ where isOwn: return .complete(ProxyHeader(client: nil, byteCount: byteCount))
    case 0x11 where restCount >= 12:
      return .complete(
        ProxyHeader(client: RemoteNetwork(ipv4: Array(rest[..<4])), byteCount: byteCount))
    case 0x21 where restCount >= 36:
      return .complete(
        ProxyHeader(client: RemoteNetwork(ipv6: Array(rest[..<16])), byteCount: byteCount))
    case 0x00: return .complete(ProxyHeader(client: nil, byteCount: byteCount))
    default: return .invalid
    }
  }
}
