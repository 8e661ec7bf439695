// Work of the driver that recurs: signs of life for watchers, background work of the projections, the deletion of
// expired data and of unused files, and the erasure of groups that the device lost access to. Long work is done in
// steps, with pauses for everything else.

import AssetFiles
import DeviceStore
import Logging
import NIOCore
import Records

extension ReplicaDriver {
  private static let signOfLifeInterval = TimeAmount.seconds(15)

  /// Starts all repeated work.
  func startUpkeep() {
    performRepeatedly(after: Self.signOfLifeInterval, every: Self.signOfLifeInterval) { driver in
      driver.publish(EventNews())
      driver.notifications.notify()
    }
    advanceProjections()
    performRepeatedly(after: .minutes(1), every: .hours(1)) { $0.deleteExpired() }
    deleteOrphans()
    performRepeatedly(after: .minutes(1), every: .minutes(10)) { $0.deleteUnusedFiles() }
    erase()
  }

  /// Does the background work of the projections, such as indexing contacts or sorting lists again after the
  /// language has changed: in short steps, between which edits and messages take their turns. A transaction can
  /// leave new work. While an import or a first sync is under way, steps are rare, because each would delay it.
  /// Without other work they are longer, because each is a commit.
  func advanceProjections() { advanceProjections(isIdle: false) }

  private func advanceProjections(isIdle: Bool) {
    guard replica.hasProjectionWork, !schedule.isEnded, !schedule.isAdvancing else { return }
    schedule.isAdvancing = true
    let isDone = act {
      try replica.advanceProjections(isIdle: isIdle, now: $0)
      return []
    }
    guard isDone else { return continueAdvancing(after: Self.pauseAfterFailure) }
    continueWhenIdle(after: Self.pauseBetweenSteps, looksLeft: Self.looksMaximum)
  }

  private static let pauseBetweenSteps = TimeAmount.milliseconds(1)
  private static let pauseForOtherWork = TimeAmount.milliseconds(100)
  private static let pauseAfterFailure = TimeAmount.seconds(5)
  /// The number of such pauses after which a step takes place in any case: after a second.
  private static let looksMaximum = 10

  /// Continues after the first pause in which the device did nothing else and waits for no outcome, or after several
  /// other pauses.
  private func continueWhenIdle(after pause: TimeAmount, looksLeft: Int) {
    let performed = schedule.performedCount
    perform(after: pause) { driver in
      let isBusy =
        driver.schedule.performedCount != performed
        || driver.replica.expectsOutcome(at: driver.environment.now())
      guard isBusy, looksLeft > 0 else {
        return driver.continueAdvancing(after: .zero, isIdle: !isBusy)
      }
      driver.continueWhenIdle(after: Self.pauseForOtherWork, looksLeft: looksLeft - 1)
    }
  }

  private func continueAdvancing(after pause: TimeAmount, isIdle: Bool = false) {
    perform(after: pause) { driver in
      driver.schedule.isAdvancing = false
      driver.advanceProjections(isIdle: isIdle)
    }
  }

  /// Deletes history and other data whose retention has ended.
  private func deleteExpired() {
    do {
      guard try replica.forgetPast(now: environment.now()) else { return }
      perform(after: .milliseconds(100)) { $0.deleteExpired() }
    } catch {
      logger.error("Cannot delete expired data", metadata: ["error": "\(error.logText)"])
    }
  }

  /// Deletes the files that no record needs any more. Runs every ten minutes; call it to delete them earlier.
  package func deleteUnusedFiles() {
    do {
      // Nothing comes between the deletion of the rows and of the files: this executor does both.
      let digests = try replica.collectAssets(now: environment.now())
      for digest in digests { files.disk.remove(digest) }
      guard digests.count == DeviceLimits.assetsPerCollection else { return }
      perform(after: .milliseconds(20)) { $0.deleteUnusedFiles() }
    } catch {
      logger.error("Cannot delete unused files", metadata: ["error": "\(error.logText)"])
    }
  }

  /// Deletes the files that a crash left without a row, and downloads that are no longer wanted.
  private func deleteOrphans() {
    let reader = reader
    files.deleteOrphans { try reader.entered($0) }
    deleteUnwantedDownloads()
  }

  /// Deletes the downloaded parts of files that are no longer wanted.
  private func deleteUnwantedDownloads() {
    let reader = reader
    files.deleteDownloads { try reader.wanted($0) }
  }

  /// Erases the rest of groups that the device lost access to, and deletes their files. A concurrent reader can
  /// delay it, and the disk can fail; then it is tried again, also after a restart.
  func erase() {
    do {
      guard try replica.needsErasing() else { return }
      if try replica.erase() {
        deleteUnwantedDownloads()
        return deleteUnusedFiles()
      }
    } catch {
      logger.error(
        "Cannot erase zones that this device lost access to; trying again",
        metadata: ["error": "\(error.logText)"])
    }
    perform(after: .seconds(1)) { $0.erase() }
  }
}
