// The sessions as the listener and its connections share them, with the clock and random numbers of this machine.

import DaemonKit
import DeviceDriver
import DeviceStore
import Records
import Synchronization

/// Lets the web page in.
final class WebDoor: Sendable {
  /// The key under which the device stores the sessions, without their tokens.
  private static let key = "session.web"

  private let sessions = Mutex(WebSessions())

  /// Makes a link's token.
  func open() -> String {
    sessions.withLock { sessions in
      var generator = SystemRandomNumberGenerator()
      return sessions.open(now: SystemClock.now(), using: &generator)
    }
  }

  /// Begins a session with a link's token, and stores it; `nil` if the token is not valid.
  func exchange(_ token: String, storingIn driver: ReplicaDriver) async -> WebSessions.Tokens? {
    let (tokens, stored) = sessions.withLock { sessions in
      var generator = SystemRandomNumberGenerator()
      let tokens = sessions.exchange(token, now: SystemClock.now(), using: &generator)
      return (tokens, sessions.stored)
    }
    // If the disk is full, the session only ends with the agent.
    if tokens != nil { try? await driver.store(stored, under: Self.key) }
    return tokens
  }

  /// Decides about a request.
  func decision(on request: WebRequest, of access: WebAccess) -> WebAccess.Decision {
    access.decision(on: request, of: sessions.withLock { $0 }, now: SystemClock.now())
  }

  /// Proves to the pages of all sessions that this is their agent.
  func proofs(of challenge: String) -> [String] {
    sessions.withLock { $0 }.proofs(of: challenge, now: SystemClock.now())
  }

  /// Continues the sessions of the previous run of the agent if they began at this very socket, and removes them otherwise.
  /// - Parameter isKept: Whether the socket has listened since then.
  func begin(at socket: LoopbackSocket, isKept: Bool, storingIn driver: ReplicaDriver) async {
    let stored = (try? driver.reader.setting(Self.key)) ?? ""
    let resumed =
      isKept ? WebSessions(stored: stored, at: socket.identity) : WebSessions(at: socket.identity)
    sessions.withLock { $0 = resumed }
    // If the disk is full, the stored sessions still belong to another socket.
    if resumed.stored != stored { try? await driver.store(resumed.stored, under: Self.key) }
  }

  /// Ends all sessions and links, because the account is signed out. What was stored of them went with the account.
  func end() { sessions.withLock { $0.end() } }
}

extension ReplicaDriver {
  /// Stores a text of the agent under `key`. It is not synchronized.
  func store(_ text: String, under key: String) throws {
    try edit { replica, now in
      ((), try replica.choose(setting: key, value: text, now: now))
    }
  }
}
