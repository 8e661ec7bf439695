// Looks up the names of the authors of posts and comments as these arrive, so that lists show them at once, and
// without a connection too. After each reading of the timeline it also asks again for names that are some minutes
// old, because people may change them.

import DeviceDriver
import DeviceStore
import Logging
import Records
import ServiceLifecycle

/// Looks up the names of authors.
struct AuthorNameService: Service {
  /// How long a name is valid.
  private static let validSeconds: Int64 = 600

  let driver: ReplicaDriver
  let logger: Logger

  func run() async {
    guard let watch = driver.events.watch() else { return }
    await cancelWhenGracefulShutdown {
      await withTaskCancellationHandler {
        await lookUp()
        for await news in watch.news {
          guard case .finished(isDone: true, _) = news.activity else {
            await lookUp()
            continue
          }
          await lookUp(since: SystemClock.now().adding(seconds: -Self.validSeconds))
        }
      } onCancel: {
        watch.end()
      }
    }
  }

  /// Looks up the names that were not requested since `time`; `nil` for those that were never requested.
  private func lookUp(since time: Timestamp? = nil) async {
    do {
      let accounts = try driver.reader.accountsToLookUp(since: time)
      guard !accounts.isEmpty else { return }
      try await driver.lookUpNames(of: accounts)
    } catch {
      // Without a broker, for example. The names remain due.
      logger.debug(
        "Cannot look up the names of authors", metadata: ["error": "\(error.logText)"])
    }
  }
}
