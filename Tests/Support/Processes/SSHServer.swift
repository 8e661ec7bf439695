// An OpenSSH server of a test, and the client's configuration for it. Both are the real programs.

import Foundation
import Glibc

/// An ssh server on the loopback interface that lets the user of the test sign in.
package final class SSHServer {
  /// Why no server can be started on this machine; `nil` if one can.
  package static let obstacle: String? =
    access(program, X_OK) == 0 ? nil : "This machine has no sshd (package openssh-server)."
  private static let program = "/usr/sbin/sshd"

  /// The directory of its keys, its configuration and the client's.
  package let directory: TemporaryDirectory
  /// The port on which it listens.
  package let port: Int
  private var server: RunningProgram?

  /// The variables for a program that uses ssh: its `ssh` has the key and knows the server.
  package var environment: [String: String] {
    ["PATH": directory.file("client") + ":/usr/bin:/bin"]
  }

  /// Starts a server that finds the programs of this build.
  /// - Parameter settings: More lines of its configuration; the first value of a setting counts.
  package init(settings: [String] = []) async throws {
    directory = try TemporaryDirectory()
    port = try LoopbackPort.unused()
    for key in ["host_key", "client_key"] { try await makeKey(key) }
    try write(publicKey("client_key") + "\n", to: "authorized_keys")
    try trustServer(key: publicKey("host_key"))
    try writeConfiguration(settings)
    try await start()
  }

  deinit { stop() }

  /// Starts the server again after `stop`.
  package func start() async throws {
    // The place that the server's package would have made.
    if getuid() == 0 { mkdir("/run/sshd", 0o755) }
    let server = try RunningProgram(
      Self.program, ["-D", "-e", "-f", directory.file("sshd_config")])
    self.server = server
    try await Patience.wait(until: "the ssh server to listen") {
      server.standardError.contains("Server listening")
    }
  }

  /// Kills the server and the connections that it serves.
  package func stop() {
    guard let server else { return }
    // Each connection has processes of its own, which are descendants of the server.
    for process in Self.descendants(of: server.processID) { kill(process, SIGKILL) }
    server.send(SIGKILL)
    self.server = nil
  }

  /// Replaces the configuration. It applies from the next start.
  package func writeConfiguration(_ settings: [String]) throws {
    let lines =
      settings + [
        "Port \(port)", "ListenAddress 127.0.0.1", "HostKey \(directory.file("host_key"))",
        "AuthorizedKeysFile \(directory.file("authorized_keys"))", "PidFile none", "UsePAM no",
        "StrictModes no", "PasswordAuthentication no", "KbdInteractiveAuthentication no",
        "PermitRootLogin prohibit-password",
        "SetEnv PATH=\(Self.programs):/usr/bin:/bin",
      ]
    try write(lines.joined(separator: "\n") + "\n", to: "sshd_config")
  }

  /// Makes the client trust the server with this public key, and no other.
  package func trustServer(key: String) throws {
    try write("[127.0.0.1]:\(port) \(key)\n", to: "known_hosts")
    let lines = [
      "Host *", "IdentityFile \(directory.file("client_key"))", "IdentitiesOnly yes",
      "UserKnownHostsFile \(directory.file("known_hosts"))", "StrictHostKeyChecking yes",
    ]
    try write(lines.joined(separator: "\n") + "\n", to: "ssh_config")
    try write(
      "#!/bin/sh\nexec /usr/bin/ssh -F '\(directory.file("ssh_config"))' \"$@\"\n", to: "client/ssh"
    )
    chmod(directory.file("client/ssh"), 0o755)
  }

  /// Returns the public key of a key file, without its comment.
  package func publicKey(_ name: String) throws -> String {
    let text = String(decoding: directory.bytes(of: name + ".pub"), as: UTF8.self)
    return text.split(separator: " ").prefix(2).joined(separator: " ")
  }

  /// Makes a key pair.
  package func makeKey(_ name: String) async throws {
    let program = try RunningProgram(
      "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", directory.file(name)])
    _ = try await program.end()
  }

  private func write(_ text: String, to name: String) throws {
    try directory.write(Array(text.utf8), to: name)
  }

  private static let programs = URL(filePath: RunningProgram.path(of: "contacts-broker"))
    .deletingLastPathComponent().path

  private static func descendants(of process: pid_t) -> [pid_t] {
    let path = "/proc/\(process)/task/\(process)/children"
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    let children = text.split(separator: " ").compactMap { pid_t($0) }
    return children + children.flatMap(descendants)
  }
}
