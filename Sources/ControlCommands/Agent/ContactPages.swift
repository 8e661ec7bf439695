// Reads lists in pages, so that both sides hold a limited amount, and returns them whole. While one page is
// read, the agent makes the next. Lists are sorted in the language of the user's environment, unless the agent has one as a
// setting.

import AgentAPI
import Collation
import Foundation

/// Reads lists of contacts, page by page.
struct ContactPages: Sendable {
  /// The first page is short, so that there is soon something to read; the others are as long as the agent
  /// allows.
  private static let firstPageSize = 250
  private static let pageSizeMaximum = 1000
  /// The bytes of a page up to which the next one is requested early. A socket holds 200 kB, and the agent sends the rest of
  /// a page only when the next one is made.
  private static let earlyBytesMaximum = 400_000

  let agent: AgentClient
  /// The filter, the sort order and the properties.
  var query: [(String, String)]

  /// Creates a list of the contacts that match `query`.
  /// - Parameter selection: The properties that are read. Whole contacts, without a selection, are also what an older
  ///   agent sends.
  init(_ agent: AgentClient, _ query: [(String, String)], _ selection: ContactSelection? = nil) {
    self.agent = agent
    let properties = selection.map { [(AgentQuery.properties, $0.text)] } ?? []
    self.query = query + properties + Self.language(ProcessInfo.processInfo.environment)
  }

  /// Returns the query parameter for the language of `environment`; empty if it names none.
  static func language(_ environment: [String: String]) -> [(String, String)] {
    let value = Language.variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return value.map { [(AgentQuery.locale, $0)] } ?? []
  }

  /// Returns up to `count` contacts; all if it is `nil`.
  func contacts(atMost count: Int?) async throws(ControlFailure) -> [ContactItem.Line] {
    try await values(atMost: count) { $0 }
  }

  /// Returns what `value` makes of each of up to `count` contacts; of all if it is `nil`. The values of a page are made
  /// while the agent makes the next one.
  func values<Value>(
    atMost count: Int?, _ value: (ContactItem.Line) -> Value
  ) async throws(ControlFailure) -> [Value] {
    var values: [Value] = []
    try await forEachPage(from: Self.firstPageSize, atMost: count) {
      (page) throws(ControlFailure) in
      values += try Self.lines(of: page).map(value)
    }
    return values
  }

  /// A contact of a list, with the JSON that the agent wrote.
  typealias Item = (line: ContactItem.Line, json: [UInt8])

  /// Returns the contacts that `isIncluded` accepts. Reads the whole list, and keeps one page at a time besides
  /// the result.
  func items(
    where isIncluded: (ContactItem.Line) -> Bool
  ) async throws(ControlFailure) -> [Item] {
    var items: [Item] = []
    try await forEachPage(from: Self.pageSizeMaximum, atMost: nil) {
      (page) throws(ControlFailure) in
      do {
        items += try ContactsView.items(ofPage: page, where: isIncluded)
      } catch {
        throw .unreadableAnswer()
      }
    }
    return items
  }

  /// Calls `body` with each page of up to `count` contacts, as the agent wrote it; all if it is `nil`. The agent makes the
  /// next page meanwhile.
  func forEachPage(
    atMost count: Int?, _ body: ([UInt8]) throws(ControlFailure) -> Void
  ) async throws(ControlFailure) {
    try await forEachPage(from: Self.pageSizeMaximum, atMost: count, body)
  }

  /// Returns up to `count` contacts as one JSON object, in parts; all if it is `nil`.
  func json(atMost count: Int?) async throws(ControlFailure) -> [[UInt8]] {
    var joined = JoinedJSON(list: ContactsView.listKey)
    try await forEachPage(atMost: count) { (page) throws(ControlFailure) in try joined.add(page) }
    return joined.parts
  }

  /// Reads the contacts of a page.
  static func lines(of page: [UInt8]) throws(ControlFailure) -> [ContactItem.Line] {
    do {
      return try ContactsView.lines(ofPage: page)
    } catch {
      throw .unreadableAnswer()
    }
  }

  /// Calls `body` with each page. The next one is requested as soon as the cursor has arrived, or if the page is long, when
  /// all of it has.
  private func forEachPage(
    from firstSize: Int, atMost count: Int?,
    _ body: ([UInt8]) throws(ControlFailure) -> Void
  ) async throws(ControlFailure) {
    guard count != 0 else { return }
    var rest = count ?? .max
    var size = min(rest, firstSize)
    var call = try await request(size, after: nil)
    while true {
      let page = try await agent.response(to: call)
      rest -= size
      guard let cursor = page.next, rest > 0 else { return try body(await agent.reply(page).bytes) }
      size = min(rest, size * 2, Self.pageSizeMaximum)
      let early =
        page.byteCount > Self.earlyBytesMaximum
        ? nil : try await request(size, after: cursor, following: page)
      let bytes = try await agent.reply(page).bytes
      call = if let early { early } else { try await request(size, after: cursor) }
      try body(bytes)
    }
  }

  private func request(
    _ size: Int, after cursor: String?, following former: AgentResponse? = nil
  ) async throws(ControlFailure) -> AgentCall {
    var page = query + [(AgentQuery.limit, String(size))]
    if let cursor { page.append((AgentQuery.cursor, cursor)) }
    return try await agent.request(.contacts, query: page, following: former)
  }
}
