// What follows `broker = ssh://`, and what ssh is asked to do with it.

import Records

/// A broker behind an ssh server: `ssh://[USER@]HOST[:PORT][/PATH]`.
///
/// `HOST` may be an alias in the user's ssh configuration. `PATH` is the path of the broker's socket on the
/// server, if it is not the default one. The account is the one of the user on the server.
package struct SSHDestination: Hashable, Sendable {
  /// The user on the server; `nil` leaves it to the ssh configuration.
  package let user: String?
  /// The server's name, address or alias.
  package let host: String
  /// The port of the ssh server; `nil` leaves it to the ssh configuration.
  package let port: Int?
  /// The path of the broker's socket on the server; `nil` for the default.
  package let socketPath: String?

  /// Reads the URL.
  /// - Throws: `invalidArguments`, naming the part that is wrong.
  package init(url: String) throws(RecordsError) {
    let rest = url.dropFirst("ssh://".count)
    let authority = rest.prefix { $0 != "/" }
    let path = String(rest.dropFirst(authority.count))
    socketPath = path.isEmpty || path == "/" ? nil : path
    let userEnd = authority.lastIndex(of: "@")
    user = userEnd.map { String(authority[..<$0]) }
    let location = userEnd.map { authority[authority.index(after: $0)...] } ?? authority
    do throws(HostAndPort.Malformed) {
      let location = try HostAndPort(location)
      (host, port) = (location.host, location.port)
    } catch {
      throw Self.invalid(url, error.reason)
    }
    try check(url)
  }

  // NB: ssh takes what begins with a hyphen for an option, and options can run programs.
  private func check(_ url: String) throws(RecordsError) {
    if let user {
      guard !user.contains(":") else {
        throw Self.invalid(url, "it contains a password; use a key or ssh-agent instead")
      }
      guard !user.isEmpty, !user.hasPrefix("-"), user.unicodeScalars.allSatisfy(Self.isOfUser)
      else {
        throw Self.invalid(url, "its user has characters that no user name has")
      }
    }
    guard !(socketPath ?? "").unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else { throw Self.invalid(url, "its path contains control characters") }
  }

  private static func isOfUser(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || ".-_%@\\+$".unicodeScalars.contains(scalar)
  }

  private static func invalid(_ url: String, _ reason: String) -> RecordsError {
    RecordsError(
      .invalidArguments, "“\(url)” is not the address of a broker: \(reason).",
      hint: "Write ssh://USER@HOST.")
  }
}

extension SSHDestination {
  /// The user and host, as an argument of ssh.
  package var login: String { user.map { "\($0)@\(host)" } ?? host }

  /// The command that runs on the server.
  var remoteCommand: String {
    guard let socketPath else { return "contacts-broker connect" }
    // ssh passes the command to a shell.
    let quoted = socketPath.replacing("'", with: "'\\''")
    return "contacts-broker connect --socket '\(quoted)'"
  }

  /// The arguments of ssh.
  var arguments: [String] {
    let options = [
      // An agent has no user in front of it who could type a password or confirm a key.
      "BatchMode=yes",
      // A connection that is lost without a sign ends after 45 seconds.
      "ServerAliveInterval=15", "ServerAliveCountMax=3", "ConnectTimeout=10",
      // A shared connection would outlive this one, and end it when it ends.
      "ControlPath=none",
      // What the user has configured for interactive sessions does not apply here.
      "ClearAllForwardings=yes", "PermitLocalCommand=no", "RemoteCommand=none", "EscapeChar=none",
    ]
    return ["-T"] + options.flatMap { ["-o", $0] } + (port.map { ["-p", String($0)] } ?? [])
      + ["--", login, remoteCommand]
  }
}

extension SSHDestination: CustomStringConvertible {
  package var description: String {
    "ssh://\(user.map { "\($0)@" } ?? "")\(HostAndPort(host: host, port: port))\(socketPath ?? "")"
  }
}
