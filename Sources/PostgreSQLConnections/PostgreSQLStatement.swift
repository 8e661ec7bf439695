// A statement of a connection, with the forms of it that the server knows: one for each combination of types of its
// parameters, because PostgreSQL's types belong to the statement and not to the values.

import Records
import SQLConnections

/// A statement of a PostgreSQL connection.
package final class PostgreSQLStatement: SQLStatement {
  /// The number of rows that a scan fetches at a time.
  static let rowsPerFetch = 200

  private unowned let connection: PostgreSQLConnection
  private let translation: SQLTranslation
  private var parameters: StatementParameters
  private var forms: StatementForms
  private var cursorForms: StatementForms
  private var fetchesInSteps = false
  private var cursor: StatementCursor?
  /// The rows in memory, and the current one.
  private var result: ServerResult?
  private var row = -1

  /// Creates the statement for `sql`. The server sees it when it runs.
  init(_ sql: String, of connection: PostgreSQLConnection) {
    self.connection = connection
    translation = SQLTranslation(sql)
    parameters = StatementParameters(count: translation.parameterCount)
    forms = StatementForms(parameterCount: translation.parameterCount)
    cursorForms = forms
  }

  // MARK: Parameters

  package func bind(_ index: Int32, _ value: Int64) { parameters.set(index, .integer(value)) }
  package func bind(_ index: Int32, _ text: String) { parameters.set(index, .text(text)) }
  package func bind(_ index: Int32, _ bytes: [UInt8]) { parameters.set(index, .bytes(bytes)) }
  package func bindNull(_ index: Int32) { parameters.set(index, .null) }

  // MARK: Running

  package func execute() throws {
    reset()
    connection.transaction?.hasWritten = true
    try connection.queue(form(), parameters)
  }

  package func executeCountingChanges() throws -> Int {
    reset()
    connection.transaction?.hasWritten = true
    return try connection.result(of: form(), parameters).changeCount
  }

  package func step() throws -> Bool {
    row += 1
    if row % Interruption.rowsPerCheck == 0 { try connection.checkInterruption() }
    let current = try result ?? firstRows()
    if row < current.rowCount { return true }
    guard let cursor, current.rowCount == Self.rowsPerFetch else { return false }
    let next = try connection.result(of: cursor.fetch)
    try next.checkTypes()
    result = next
    row = 0
    return next.rowCount > 0
  }

  package func fetchInSteps() {
    fetchesInSteps = true
  }

  package func reset() {
    if let cursor, connection.transaction != nil, connection.transactionNumber == cursor.transaction
    {
      // An error of a queued statement stays with the pipeline until the next call.
      try? connection.pipeline.send(cursor.close)
    }
    cursor = nil
    fetchesInSteps = false
    result = nil
    row = -1
  }

  /// Runs the statement with each of several arguments, of the same types. Returns the rows of each.
  func rowsOfEach(_ arguments: [SQLArguments]) throws -> [[SQLRow]] {
    reset()
    guard let first = arguments.first else { return [] }
    first.bind(to: self)
    let form = form()
    let parameters = arguments.map { each in
      each.bind(to: self)
      return self.parameters
    }
    defer { reset() }
    return try connection.results(of: form, parameters).map { answer in
      try answer.checkTypes()
      result = answer
      return (0..<answer.rowCount).map { index in
        row = index
        return SQLRow(of: self)
      }
    }
  }

  private func firstRows() throws -> ServerResult {
    if !translation.isQuery { connection.transaction?.hasWritten = true }
    let first = try fetchesInSteps && connection.transaction != nil ? open() : all()
    try first.checkTypes()
    result = first
    return first
  }

  private func all() throws -> ServerResult {
    try connection.result(of: form(), parameters)
  }

  /// Declares a cursor, which the server keeps open between the fetches, and fetches its first rows.
  private func open() throws -> ServerResult {
    let form = cursorForms.form(for: parameters) { types in
      let name = connection.makeCursorName()
      return connection.makeForm(
        "DECLARE \(name) NO SCROLL CURSOR FOR \(translation.text)", types: types, cursor: name)
    }
    let cursor = StatementCursor(
      name: form.cursor ?? "", transaction: connection.transactionNumber)
    self.cursor = cursor
    try connection.queue(form, parameters)
    return try connection.result(of: cursor.fetch)
  }

  private func form() -> PreparedForm {
    forms.form(for: parameters) { connection.makeForm(translation.text, types: $0) }
  }

  // MARK: Columns of the current row

  package var columnCount: Int32 { result?.columnCount ?? 0 }

  package func value(_ column: Int32) -> SQLValue { current(column)?.value ?? .null }
  package func isNull(_ column: Int32) -> Bool { current(column) == nil }
  package func number(_ column: Int32) -> Int64 { current(column)?.number ?? 0 }
  package func text(_ column: Int32) -> String { current(column)?.text ?? "" }
  package func bytes(_ column: Int32) -> [UInt8] { current(column)?.content ?? [] }

  private func current(_ column: Int32) -> BinaryValue? {
    result?.value(row: row, column: column)
  }
}

/// A cursor of a scan.
struct StatementCursor {
  let name: String
  /// The number of the transaction that declared it, with which it ends.
  let transaction: Int

  var fetch: String { "FETCH FORWARD \(PostgreSQLStatement.rowsPerFetch) FROM \(name)" }
  var close: String { "CLOSE \(name)" }
}
