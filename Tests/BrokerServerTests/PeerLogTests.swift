// The content and volume of the broker's log about refused peers.

import BrokerCore
import Logging
import Records
import Synchronization
import Testing

@testable import BrokerServer

@Suite("The log of refused peers")
struct PeerLogTests {
  private let lines = Lines()
  private let log: PeerLog

  init() {
    let lines = lines
    log = PeerLog(Logger(label: "test") { _ in Recorder(lines: lines) })
  }

  @Test func `twenty thousand refusals in one second are ten lines and their number`() {
    for _ in 0..<20_000 { log.add(refusal(of: 1000)) }
    log.endSecond()
    #expect(lines.all.count == PeerLog.linesPerSecond + 1)
    #expect(
      lines.all.last
        == "more requests refused in the same second, not logged count=19990 uid=1000")
  }

  @Test func `one peer's refusals suppress no line about another peer`() {
    for _ in 0..<100 { log.add(refusal(of: 1000)) }
    log.add(refusal(of: 1001))
    log.endSecond()
    #expect(lines.all.filter { $0.contains("uid=1001") }.count == 1)
  }

  @Test func `each second starts again, and reports a count only if lines were suppressed`() {
    for _ in 0..<3 {
      log.add(refusal(of: 1000))
      log.endSecond()
    }
    #expect(lines.all.count == 3)
  }

  @Test func `a refusal's line has its code and reason, and no text or name of the client's`() {
    log.add(
      Refusal(
        peer: .localUser(1000),
        error: RecordsError(
          .invalidArguments, "“Aunt Joan” is no number.", hint: "See “Aunt Joan”.",
          record: RecordName(stored: "joan"), field: "secret ailment", reason: "wrongType")))
    #expect(lines.all == ["request refused code=invalidArguments reason=wrongType uid=1000"])
  }

  @Test func `a failed handshake has a line with its reason, and many have few`() {
    let network = RemoteNetwork(ipv4: [10, 0, 0, 1])
    for _ in 0..<50 { log.add(.notTLS, of: .remote(network)) }
    log.endSecond()
    #expect(lines.all.first == "TLS handshake failed network=10.0.0.1 reason=notTLS")
    #expect(lines.all.count == PeerLog.linesPerSecond + 1)
  }

  @Test func `failures of the store are limited too`() {
    let report = log.failureReport
    for _ in 0..<50 { report(RecordsError(.internalError, "“Aunt Joan” is damaged.")) }
    log.endSecond()
    #expect(lines.all.first == "a request failed reason=internalError")
    #expect(lines.all.last == "more requests failed in the same second, not logged count=40")
    #expect(lines.all.count == PeerLog.linesPerSecond + 1)
  }

  private func refusal(of uid: UInt32) -> Refusal {
    Refusal(
      peer: .localUser(uid), error: RecordsError(.permissionFailure, "No.", reason: "notInvited"))
  }

  /// The logged lines, with sorted metadata.
  private final class Lines: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ line: String) { texts.withLock { $0.append(line) } }
  }

  private struct Recorder: LogHandler {
    let lines: Lines
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
      lines.add((["\(event.message)"] + fields).joined(separator: " "))
    }
  }
}
