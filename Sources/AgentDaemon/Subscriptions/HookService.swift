// Runs the commands of subscriptions: for each subscription one at a time and in order, with a limit for all.
// A command receives its data in variables, truncated if they are long, and completely on its standard input;
// data of records is never part of the command line. The position of each subscription is stored, so a
// command that a crash interrupted runs again.

import AgentAPI
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
  /// The time limit of a command.
  static let patience = Duration.seconds(60)

  /// The maximum size of a variable; the system limits the environment of a process.
  static let variableBytesMax = 4 << 10

  let driver: ReplicaDriver
  let commands: CommandRunner
  /// The agent's own socket, for commands that call the agent.
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
      }
    }
  }

  private func follow(_ watch: NotificationHub.Watch) async {
    let busy = BusySubscriptions()
    await withDiscardingTaskGroup { tasks in
      for await _ in watch.news {
        for subscription in due().map(\.subscription) where busy.begin(subscription) {
          // NB: A command that was running when the list was read may have ended since.
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

  /// Runs a command; returns whether the next one may run.
  private func execute(_ run: HookRun, _ busy: BusySubscriptions) async -> Bool {
    do {
      let outcome = try await commands.run(
        run.command,
        variables: variables(of: run).mapValues { $0.cut(toBytes: Self.variableBytesMax) },
        input: try input(of: run), patience: patience)
      report(outcome, of: run, busy)
      guard outcome.ending != .stopped else { return false }
      try await driver.edit { replica, _ in (try replica.hookRan(run), []) }
      return true
    } catch {
      // The command stays due and is retried at the next notification.
      if busy.failed(run.subscription) {
        logger.error(
          "Cannot run the command of a subscription",
          metadata: ["subscription": "\(run.subscription)", "error": "\(error.logText)"])
      }
      return false
    }
  }

  private func input(of run: HookRun) throws -> [UInt8] {
    let item = NotificationItem(run.notification, who: try driver.identity())
    return try OrderedJSON.bytes(of: SingleView(item)) + [UInt8(ascii: "\n")]
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
    // No subscription causes this, so no command handles it.
    case .access, .join, .gain, .loss, .rejectedDeletion: break
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

  /// Logs the output of a command. A failure is logged as a warning once, until the command succeeds again.
  private func report(
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

/// The subscriptions whose commands are running, and those whose last command failed.
private final class BusySubscriptions: Sendable {
  private struct State {
    var running: Set<SubscriptionID> = []
    var failed: Set<SubscriptionID> = []
  }

  private let state = Mutex(State())

  func begin(_ id: SubscriptionID) -> Bool { state.withLock { $0.running.insert(id).inserted } }
  func end(_ id: SubscriptionID) { _ = state.withLock { $0.running.remove(id) } }
  func succeeded(_ id: SubscriptionID) { _ = state.withLock { $0.failed.remove(id) } }

  /// Records a failure; returns whether the last command had succeeded.
  func failed(_ id: SubscriptionID) -> Bool { state.withLock { $0.failed.insert(id).inserted } }
}
