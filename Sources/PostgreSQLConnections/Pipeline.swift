// The conversation with a server in libpq's pipeline mode: statements are sent without waiting for the answers of those
// before, so that a transaction costs one round trip for each answer that is needed, not one for each statement.
//
// Invariants: everything between two syncs is one segment. After an error the server skips the rest of the segment,
// and no new segment begins before the last one has been answered in full. Thus no statement of a transaction runs
// after one that failed, not even if BEGIN itself failed. The socket is non-blocking, and what arrives is read
// while more is written: a server that cannot send its answers reads no statements, and both would wait forever.

import CPostgreSQL
import Glibc

/// An open connection that answers in order.
final class Pipeline {
  /// The statements and bytes after which the server is asked for the answers so far.
  static let statementsPerFlush = 256
  private static let bytesPerFlush = 1 << 20

  private let connection: OpaquePointer
  private let answerLimit: Duration
  private let notices: ServerNotices
  private var pending = AwaitedAnswers()
  private var unflushed = (statements: 0, bytes: 0)
  /// Whether anything was sent after the last sync. After an error, the server skips all of that.
  private var isSegmentOpen = false
  private var lastResult: ServerResult?
  /// The answers to the questions of the segment, in order.
  private var answers: [ServerResult] = []
  /// The first error since `forgetFailure`. Nothing more is sent until then.
  private(set) var failure: PostgreSQLError?
  /// Whether the connection is gone for good.
  private(set) var isBroken = false
  /// The generation of prepared statements; `forgetStatements` begins the next one.
  private var generation = 0
  /// The question that is asked while an answer is awaited.
  var interruption: Interruption?

  /// Takes over an open connection.
  init(owning connection: OpaquePointer, notices: ServerNotices, answerLimit: Duration) throws {
    self.connection = connection
    self.notices = notices
    self.answerLimit = answerLimit
    guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
      throw PostgreSQLError.lost("The connection cannot send statements.")
    }
  }

  deinit { PQfinish(connection) }

  /// The process of the server that serves this connection.
  var serverProcess: Int32 { PQbackendPID(connection) }

  /// The warnings since the last statement that was sent when no answer was pending.
  var warnings: [PostgreSQLError] { notices.warnings }

  /// The statements and syncs whose answers were not read yet.
  var pendingCount: Int { pending.count }

  // MARK: Sending

  /// Queues a statement with its parameters, and prepares it before its first use.
  /// - Parameter isQuestion: Whether `finishAnswering` returns its answer.
  func send(
    _ form: PreparedForm, _ parameters: StatementParameters, isQuestion: Bool = false
  ) throws {
    try throwFailure()
    try prepare(form)
    try parameters.withValues { values in
      let isQueued = PQsendQueryPrepared(
        connection, form.name, values.count, values.addresses, values.lengths, values.formats, 1)
      let request: AwaitedAnswers.Request = isQuestion ? .question : .statement
      return Result { try queued(request, isQueued, byteCount: values.byteCount) }
    }.get()
    try relieve()
  }

  /// Queues a statement without parameters that is not worth a name.
  func send(_ sql: String) throws {
    try throwFailure()
    let isQueued = PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1)
    try queued(.statement, isQueued, byteCount: sql.utf8.count)
    try relieve()
  }

  private func prepare(_ form: PreparedForm) throws {
    guard form.generation != generation else { return }
    let isQueued = PQsendPrepare(
      connection, form.name, form.sql, Int32(form.types.count), form.types)
    try queued(.preparation(form), isQueued, byteCount: form.sql.utf8.count)
    form.generation = generation
  }

  private func queued(
    _ request: AwaitedAnswers.Request, _ isQueued: Int32, byteCount: Int
  ) throws {
    guard isQueued == 1 else { throw lose("The statement cannot be sent.") }
    if pending.isEmpty { notices.removeAll() }
    isSegmentOpen = true
    pending.append(request)
    unflushed.statements += 1
    unflushed.bytes += byteCount
  }

  /// Bounds what waits here and in the server: past a limit, sends it and reads the answers of what was sent before.
  private func relieve() throws {
    guard
      unflushed.statements >= Self.statementsPerFlush || unflushed.bytes >= Self.bytesPerFlush
    else { return }
    unflushed = (0, 0)
    guard PQsendFlushRequest(connection) == 1 else { throw lose("The statements cannot be sent.") }
    try pump { $0.pending.count <= Self.statementsPerFlush && $0.isSent }
    try throwFailure()
  }

  // MARK: Answers

  /// Ends the segment, reads all its answers and returns the last one.
  /// - Throws: The first error of the segment.
  func finish() throws -> ServerResult {
    try endSegment()
    try throwFailure()
    guard let result = lastResult else { throw lose("The server did not answer.") }
    lastResult = nil
    return result
  }

  /// Ends the segment, reads all its answers and returns those to its questions.
  /// - Throws: The first error of the segment.
  func finishAnswering() throws -> [ServerResult] {
    defer { (answers, lastResult) = ([], nil) }
    try endSegment()
    try throwFailure()
    return answers
  }

  /// Ends the segment and the transaction in it, whatever became of its statements.
  func rollBack() {
    guard !isBroken else { return }
    do {
      if isSegmentOpen { try sync() }
      let isQueued = PQsendQueryParams(connection, "ROLLBACK", 0, nil, nil, nil, nil, 1)
      try queued(.statement, isQueued, byteCount: 0)
      try endSegment()
    } catch {
      // The connection is gone, and the transaction with it.
    }
    lastResult = nil
  }

  /// Permits new statements after an error.
  func forgetFailure() {
    failure = isBroken ? failure : nil
  }

  /// Makes the server forget all prepared statements.
  func forgetStatements() throws {
    try send("DEALLOCATE ALL")
    generation += 1
  }

  private func throwFailure() throws {
    guard let failure else { return }
    if isSegmentOpen, !isBroken { try endSegment() }
    throw failure
  }

  private func endSegment() throws {
    try sync()
    try pump { $0.pending.isEmpty }
  }

  private func sync() throws {
    guard !isBroken, PQpipelineSync(connection) == 1 else {
      throw lose("The statements cannot be sent.")
    }
    isSegmentOpen = false
    pending.append(.sync)
    unflushed = (0, 0)
  }

  /// Takes one answer, or the end of one, which libpq has complete.
  private func takeAnswer() throws {
    guard let result = PQgetResult(connection) else {
      if case .sync = pending.first { throw lose("The server answered out of order.") }
      pending.removeFirst()
      return
    }
    let status = PQresultStatus(result)
    switch (status, pending.first) {
    case (PGRES_PIPELINE_SYNC, _): pending.removeFirst()
    case (PGRES_COMMAND_OK, .statement?), (PGRES_TUPLES_OK, .statement?):
      lastResult = ServerResult(owning: result)
      return
    case (PGRES_TUPLES_OK, .question?):
      answers.append(ServerResult(owning: result))
      return
    case (PGRES_COMMAND_OK, .preparation?): break
    case (_, .preparation(let form)?):
      form.generation = nil
      noteFailure(result)
    default: noteFailure(result)
    }
    PQclear(result)
  }

  private func noteFailure(_ result: OpaquePointer) {
    guard PQresultStatus(result) != PGRES_PIPELINE_ABORTED, failure == nil else { return }
    failure =
      PostgreSQLError.field("C", of: result) == nil
      ? .lost(notices.warnings.last?.message ?? "The server closed the connection.")
      : PostgreSQLError(of: result)
  }

  // MARK: Notifications

  /// What another connection has sent on a channel.
  struct Notification {
    /// The server's process of that connection.
    let process: Int32
    let text: String
  }

  /// Waits until the server sends something, `descriptor` can be read, or the time is over. Returns the notifications
  /// since the last call.
  func notifications(within limit: Duration, or descriptor: Int32) throws -> [Notification] {
    var files = [
      pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let taken = takeNotifications()
    guard taken.isEmpty, poll(&files, 2, limit.milliseconds) > 0, files[0].revents != 0 else {
      return taken
    }
    guard PQconsumeInput(connection) == 1 else { throw lose("The server closed the connection.") }
    return takeNotifications()
  }

  private func takeNotifications() -> [Notification] {
    var taken: [Notification] = []
    while let notification = PQnotifies(connection) {
      taken.append(
        Notification(
          process: notification.pointee.be_pid, text: String(cString: notification.pointee.extra)))
      PQfreemem(notification)
    }
    return taken
  }

  // MARK: The socket

  /// Whether libpq has handed everything to the system.
  private var isSent: Bool { PQflush(connection) == 0 }

  /// Writes and reads until `isDone`.
  private func pump(until isDone: (Pipeline) -> Bool) throws {
    var deadline = ContinuousClock.now + answerLimit
    while true {
      let isUnsent = PQflush(connection)
      guard isUnsent >= 0 else { throw lose("The server closed the connection.") }
      let count = pending.count
      while !pending.isEmpty, PQisBusy(connection) == 0 { try takeAnswer() }
      if isDone(self) { return }
      if pending.count < count { deadline = .now + answerLimit }
      guard .now < deadline else {
        throw lose("The server has not answered for \(answerLimit).")
      }
      cancelIfDue()
      try wait(toWrite: isUnsent > 0, until: deadline)
    }
  }

  private func wait(toWrite: Bool, until deadline: ContinuousClock.Instant) throws {
    var limit = deadline - .now
    if let interruption, !interruption.isCancelled { limit = min(limit, Interruption.interval) }
    var socket = pollfd(
      fd: PQsocket(connection), events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
    guard poll(&socket, 1, limit.milliseconds) > 0, Int32(socket.revents) & ~POLLOUT != 0 else {
      return
    }
    guard PQconsumeInput(connection) == 1 else { throw lose("The server closed the connection.") }
  }

  /// Asks the server once to cancel the statement that it runs.
  private func cancelIfDue() {
    guard let interruption, !interruption.isCancelled, interruption.isDue,
      let cancellation = PQgetCancel(connection)
    else { return }
    defer { PQfreeCancel(cancellation) }
    var text = [CChar](repeating: 0, count: 256)
    PQcancel(cancellation, &text, Int32(text.count))
    interruption.isCancelled = true
  }

  /// Marks the connection as gone. Returns the error that says why: the server's own, if it sent one.
  private func lose(_ reason: String) -> PostgreSQLError {
    guard !isBroken else { return failure ?? .lost(reason) }
    isBroken = true
    // The server may have said why before it closed the connection. A live one must not be waited for.
    if PQstatus(connection) == CONNECTION_BAD {
      for _ in 0..<(2 * pending.count + 2) where PQisBusy(connection) == 0 {
        guard let result = PQgetResult(connection) else { continue }
        noteFailure(result)
        PQclear(result)
      }
    }
    pending.removeAll()
    let lost = failure ?? notices.warnings.last { $0.isConnectionLost } ?? .lost(reason)
    failure = lost
    return lost
  }
}
