// The messages of netlink, in their documented form (sock_diag(7)). `PeerUserTests` asks the kernel.

import Glibc
import Testing

@testable import DaemonKit

@Suite("W5 a question about one connection")
struct SocketQuestionTests {
  private static let client = PeerUser.End(address: 0x7F00_0001, port: 40_000)
  private static let server = PeerUser.End(address: 0x7F4D_0C09, port: 8080)
  private static let question = SocketQuestion(local: client, remote: server)

  /// An answer about a socket between the two ends.
  private static func answer(
    state: UInt8 = 1, port: UInt16 = 8080, user: UInt32 = 1000, inode: UInt32 = 4711
  )
    -> [UInt8]
  {
    var socket: [UInt8] = [UInt8(AF_INET), state, 0, 0]
    socket += bytes(UInt16(40_000).bigEndian) + bytes(port.bigEndian)
    socket += [UInt8](repeating: 0, count: 56) + bytes(user) + bytes(inode)
    return bytes(UInt32(16 + socket.count)) + bytes(UInt16(20)) + bytes(UInt16(0))
      + bytes(UInt64(1)) + socket
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  @Test func `it names both ends in the order of the network`() {
    let bytes = Self.question.bytes
    #expect(bytes.count == 72)
    #expect(Array(bytes[24..<28]) == [0x9C, 0x40, 0x1F, 0x90])
    #expect(Array(bytes[28..<32]) == [127, 0, 0, 1])
    #expect(Array(bytes[44..<48]) == [127, 77, 12, 9])
  }

  @Test func `the user is that of the answer's socket`() {
    #expect(Self.question.userID(in: Self.answer()) == 1000)
    #expect(Self.question.userID(in: Self.answer(user: 0)) == 0)
  }

  @Test(arguments: [0, 2, 4, 5, 6, 8, 10] as [UInt8])
  func `a socket that is not connected has no user`(state: UInt8) {
    #expect(Self.question.userID(in: Self.answer(state: state)) == nil)
  }

  @Test func `a socket that its process has closed has no user`() {
    #expect(Self.question.userID(in: Self.answer(user: 0, inode: 0)) == nil)
  }

  @Test func `another socket, an error or a part of an answer has no user`() {
    #expect(Self.question.userID(in: Self.answer(port: 8081)) == nil)
    #expect(
      Self.question.userID(in: [36, 0, 0, 0, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 28)) == nil)
    #expect(Self.question.userID(in: Self.answer().dropLast()) == nil)
    #expect(Self.question.userID(in: []) == nil)
  }
}
