// Lets programs in that have an app password. A password has more random bits than can be guessed; the limit keeps a
// program that tries from using up the machine and the log.

import CardDAV
import CardDAVStore
import DeviceStore
import Logging
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

  init(_ reader: DeviceReader, logger: Logger) {
    self.reader = reader
    self.logger = logger
  }

  /// Returns the password in the header of a request. The user's name does not matter: a password belongs to one account.
  /// - Throws: 401 if there is none or it is wrong, 429 after many wrong ones.
  func password(in authorization: String?, now: Timestamp) throws -> AppPasswordView {
    guard let credentials = BasicCredentials(authorization: authorization) else {
      throw DAVError(
        .unauthorized, "An app password is needed. To make one: contactsctl dav add NAME")
    }
    let digest = AppPassword.digest(of: credentials.password)
    if let password = try reader.read({ try AppPasswordTable($0).password(digest: digest) }) {
      return password
    }
    try noteFailure(at: now)
    throw DAVError(
      .unauthorized, "The app password is wrong, or was removed. To see them: contactsctl dav list")
  }

  private func noteFailure(at now: Timestamp) throws(DAVError) {
    let count = failures.withLock { failures in
      let age = now.microseconds - failures.begin.microseconds
      if age < 0 || age > Self.minuteMicroseconds { failures = Failures(begin: now) }
      failures.count += 1
      return failures.count
    }
    if count == Self.failuresMaximum {
      logger.warning("Many wrong app passwords", metadata: ["count": "\(count)"])
    }
    guard count <= Self.failuresMaximum else {
      throw DAVError(
        .tooManyRequests, "Too many wrong passwords. Wait a minute.", retryAfterSeconds: 60)
    }
  }
}
