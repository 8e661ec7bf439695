// Runs the commands of subscriptions: of each subscription one at a time and in order, of all at most a
// few. What a command is told comes in variables, cut where they are long, and whole on its standard
// input; nothing of a record ever becomes part of the command itself. How far each has come is on disk,
// so a command that a crash kept from ending runs again.

import DaemonKit
import DeviceDriver
import DeviceStore
import Foundation
import Logging
import Records
import ServiceLifecycle
import Synchronization

/// Runs hooks.
struct HookService: Service {
  /// How long a command may take.
  static let patience = Duration.seconds(60)

  /// What a variable holds at most; a name of more would keep the command from being started.
  static let variableBytesMax = 4 << 10

  let driver: ReplicaDriver
  let commands: CommandRunner
  /// The agent's own socket, for commands that ask it something.
  let socketPath: String
  var patience = Self.patience
  let logger: Logger

  func run() async {
    guard let watch = driver.notifications.watch() else { return }
    watch.notify()
    await cancelWhenGracefulShutdown {
      await withTaskCancellationHandler {
        await follow(watch)
      } onCancel: {
        watch.end()
        commands.stop()
      }
    }
    await commands.close()
  }

  private func follow(_ watch: NotificationHub.Watch) async {
    let busy = BusySubscriptions()
    await withDiscardingTaskGroup { tasks in
      for await _ in watch.news {
        for subscription in due().map(\.subscription) where busy.begin(subscription) {
          // NB: one that was running when it was looked for may have come to its end since.
          guard let run = due().first(where: { $0.subscription == subscription }) else {
            busy.end(subscription)
            continue
          }
          tasks.addTask {
            let isDone = await execute(run, busy)
            busy.end(subscription)
            if isDone { watch.notify() }
          }
        }
      }
    }
  }

  private func due() -> [HookRun] {
    do {
      return try driver.reader.hookRuns()
    } catch {
      logger.error(
        "Cannot read the commands of subscriptions", metadata: ["error": "\(error.logText)"])
      return []
    }
  }

  /// Returns whether the next may run.
  private func execute(_ run: HookRun, _ busy: BusySubscriptions) async -> Bool {
    do {
      let outcome = try await commands.run(
        run.command,
        variables: variables(of: run).mapValues { $0.cut(toBytes: Self.variableBytesMax) },
        input: try input(of: run), patience: patience)
      tell(outcome, of: run, busy)
      guard outcome.ending != .stopped else { return false }
      try await driver.edit { replica, _ in (try replica.hookRan(run), []) }
      return true
    } catch {
      // The command stays due and is tried again with the next sign of life.
      if busy.failed(run.subscription) {
        logger.error(
          "Cannot run the command of a subscription",
          metadata: ["subscription": "\(run.subscription)", "error": "\(error.logText)"])
      }
      return false
    }
  }

  private func input(of run: HookRun) throws -> [UInt8] {
    var json = JSONWriter(reservingBytes: 512)
    json.notification(run.notification, who: try driver.identity(), isWhole: true)
    return json.bytes + [UInt8(ascii: "\n")]
  }

  private func variables(of run: HookRun) throws -> [String: String] {
    let notification = run.notification
    var variables = [
      "CONTACTS_SUBSCRIPTION": run.subscription.text,
      "CONTACTS_SEQ": String(notification.sequence),
      "CONTACTS_REASON": notification.reasonWord,
      "CONTACTS_TITLE": notification.content.title ?? "",
      "CONTACTS_ALERT": notification.content.body ?? "",
      "CONTACTSD_SOCKET": socketPath,
    ]
    switch notification.subject {
    // No subscription tells it, so no command waits for it.
    case .access: break
    case .fold(let count): variables["CONTACTS_COUNT"] = String(count)
    case .record(let change):
      let who = try driver.identity()
      let origin = change.modified.origin
      variables["CONTACTS_COUNT"] = "1"
      variables["CONTACTS_ID"] = change.record.publicID.text
      variables["CONTACTS_TYPE"] = change.type.text
      variables["CONTACTS_NAME"] = change.title
      variables["CONTACTS_GROUP"] = GroupID.text(change.record.zone)
      variables["CONTACTS_ACCOUNT"] = who.name(of: origin.account)
      variables["CONTACTS_DEVICE"] = who.name(of: origin.device)
    }
    return variables
  }

  /// What a command said goes to the log; that it fails is told once, until it succeeds again.
  private func tell(
    _ outcome: CommandRunner.Outcome, of run: HookRun, _ busy: BusySubscriptions
  ) {
    let output = String(decoding: outcome.output, as: UTF8.self)
    var metadata: Logger.Metadata = ["subscription": "\(run.subscription)"]
    if !output.isEmpty { metadata["output"] = "\(output)" }
    switch outcome.ending {
    case .exited(0):
      busy.succeeded(run.subscription)
      logger.log(
        level: output.isEmpty ? .debug : .info, "The command of a subscription ran",
        metadata: metadata)
    case .stopped: break
    case .exited, .killed, .late, .tooLarge:
      metadata["ending"] = "\(outcome.ending)"
      let isNews = busy.failed(run.subscription)
      logger.log(
        level: isNews ? .warning : .debug, "The command of a subscription failed",
        metadata: metadata)
    }
  }
}

/// Which subscriptions' commands run now, and which failed last.
private final class BusySubscriptions: Sendable {
  private struct State {
    var running: Set<SubscriptionID> = []
    var failed: Set<SubscriptionID> = []
  }

  private let state = Mutex(State())

  func begin(_ id: SubscriptionID) -> Bool { state.withLock { $0.running.insert(id).inserted } }
  func end(_ id: SubscriptionID) { _ = state.withLock { $0.running.remove(id) } }
  func succeeded(_ id: SubscriptionID) { _ = state.withLock { $0.failed.remove(id) } }

  /// Whether that is news.
  func failed(_ id: SubscriptionID) -> Bool { state.withLock { $0.failed.insert(id).inserted } }
}
