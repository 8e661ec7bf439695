import Glibc

/// Decides whether a process may use a socket that belongs to one user: processes of that user and of root may.
///
/// In a user namespace of a user's systemd, root has no mapping, and appears like any other user that has none. Then
/// the mode of the socket's file decides, which only root can pass by.
package struct PeerRule: Hashable, Sendable {
  /// The user of the socket.
  private let userID: UInt32
  /// Whether root has no mapping in this process's user namespace.
  private let isRootHidden: Bool

  /// - Parameter userMap: the content of `/proc/self/uid_map` (user_namespaces(7)): in each line the first uid inside,
  ///   the first uid outside, and their number.
  package init(userID: UInt32, userMap: String) {
    self.userID = userID
    isRootHidden = !userMap.split(separator: "\n").contains { line in
      line.split(separator: " ").first == "0"
    }
  }

  /// The rule of this process's user.
  package static func ofThisProcess() -> PeerRule {
    PeerRule(userID: getuid(), userMap: KernelFile.text(of: "/proc/self/uid_map"))
  }

  /// Whether `peer` may use a socket whose file has `mode`.
  package func admits(_ peer: PeerCredentials, mode: UInt32) -> Bool {
    guard peer.isOverflowUser else { return peer.userID == userID || peer.userID == 0 }
    return isRootHidden && mode & 0o077 == 0
  }

  /// Returns the mode of the file of a bound socket; all bits if it is not known.
  package static func mode(ofSocket descriptor: CInt) -> UInt32 {
    guard let path = ListeningSocket.address(of: descriptor) else { return .max }
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : .max
  }
}
