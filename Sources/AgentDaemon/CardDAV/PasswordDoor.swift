// Lets programs in that have an app password. A password has more random bits than can be guessed; the limit keeps a
// program that tries from using up the machine and the log.

import CardDAV
import CardDAVStore
import DaemonKit
import DeviceStore
import Logging
import NIOCore
import Records
import Synchronization

/// Checks app passwords.
final class PasswordDoor: Sendable {
  /// Wrong passwords that are answered in a minute.
  private static let failuresMaximum = 30
  private static let minuteMicroseconds: Int64 = 60_000_000

  private struct Failures {
    var begin = Timestamp(microseconds: 0)
    var count = 0
  }

  private let reader: DeviceReader
  private let logger: Logger
  private let failures = Mutex(Failures())
  private let lines = LineLimit(linesPerMinute: 10)

  init(_ reader: DeviceReader, logger: Logger) {
    self.reader = reader
    self.logger = logger
  }

  /// Returns the password in the header of a request. The user's name does not matter: a password belongs to one account.
  /// - Throws: 401 if there is none, if it is wrong or belongs to another kind of address, 429 after many wrong ones.
  func password(
    in authorization: String?, over channel: any Channel, through entrance: CardDAVEntrance,
    now: Timestamp
  ) throws -> AppPasswordView {
    guard let credentials = BasicCredentials(authorization: authorization) else {
      throw DAVError(
        .unauthorized, "An app password is needed. To make one: contactsctl dav add NAME")
    }
    let digest = AppPassword.digest(of: credentials.password)
    let password = try reader.read { try AppPasswordTable($0).password(digest: digest) }
    if let password, password.scope == entrance.scope { return password }
    log(isWrong: password == nil, channel)
    try noteFailure(at: now)
    throw DAVError(
      .unauthorized,
      password.map(Self.misplacement)
        ?? "The app password is wrong, or was removed. To see them: contactsctl dav list")
  }

  private static func misplacement(of password: AppPasswordView) -> String {
    switch password.scope {
    case .computer:
      "This app password is for programs on the agent's computer. For another: contactsctl dav add NAME --network"
    case .network:
      "This app password is for programs elsewhere. For one on this computer: contactsctl dav add NAME"
    }
  }

  /// Logs from where the password came, so that an administrator can refuse the network.
  private func log(isWrong: Bool, _ channel: any Channel) {
    guard let omitted = lines.next() else { return }
    let network = channel.remoteAddress.flatMap(RemoteNetwork.init)
    var metadata: Logger.Metadata = ["from": "\(network.map { "\($0)" } ?? "a proxy")"]
    if omitted > 0 { metadata["omitted"] = "\(omitted)" }
    logger.notice(
      isWrong ? "Wrong app password" : "App password for another kind of address",
      metadata: metadata)
  }

  private func noteFailure(at now: Timestamp) throws(DAVError) {
    let count = failures.withLock { failures in
      let age = now.microseconds - failures.begin.microseconds
      if age < 0 || age > Self.minuteMicroseconds { failures = Failures(begin: now) }
      failures.count += 1
      return failures.count
    }
    guard count <= Self.failuresMaximum else {
      throw DAVError(
        .tooManyRequests, "Too many wrong passwords. Wait a minute.", retryAfterSeconds: 60)
    }
  }
}
