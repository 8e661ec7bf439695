// Changes as they land, for as long as somebody looks. The numbers have no gaps, so after a lost
// agent the stream goes on where it was.

import ArgumentParser
import Foundation
import NIOCore

/// `watch`: changes as they land.
struct WatchVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print one line for each change as it lands on this device.",
    discussion: """
      The columns are: number, change, type, id, name, account, device. When the agent goes away \
      it waits for it and goes on where it was; nothing is printed twice.
      """)

  @Option(help: "Begin behind this number; without it, with what comes.") var since: Int64?
  @OptionGroup var global: GlobalFlags

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    var last = since
    var isFirst = true
    while true {
      do {
        let body = try await session.agent.events(since: last)
        isFirst = false
        try await follow(body, from: &last, session: session)
      } catch {
        guard !isFirst, [.unreachable, .tryLater].contains(error.exitCode) else { throw error }
      }
      await pause()
    }
  }

  private func follow(
    _ body: some AsyncSequence<ByteBuffer, any Error>, from last: inout Int64?, session: Session
  ) async throws(ControlFailure) {
    var lines = EventLines()
    var iterator = body.makeAsyncIterator()
    while true {
      let buffer: ByteBuffer?
      do {
        buffer = try await iterator.next()
      } catch {
        return
      }
      guard let buffer else { return }
      for event in try lines.take(buffer.readableBytesView) {
        if let id = event.id { last = id }
        try show(event, session.printer)
      }
    }
  }

  private func show(_ event: ServerEvent, _ printer: Printer) throws(ControlFailure) {
    if event.kind == "reset" {
      printer.remark("Earlier changes are no longer kept; what follows begins behind them.")
    }
    guard event.kind == "change" else { return }
    guard printer.style != .json else { return printer.json(Array(event.content.utf8)) }
    let reply = AgentReply(bytes: Array(event.content.utf8))
    let change = try reply.decoded(as: EventView.self)
    printer.row([
      String(change.seq), change.change, change.type, change.id, change.name, change.by.account,
      change.by.device,
    ])
  }

  private func pause() async {
    try? await Task.sleep(for: .milliseconds(200))
  }
}
