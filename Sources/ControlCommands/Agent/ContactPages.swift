// Lists come in pages, so that neither side holds more than it can show; a verb wants them whole.
// While one page is read the agent makes the next: on a list of a thousand that is a fifth of the
// time. They are asked for in the language of the person's environment, which may be another than
// the agent's.

import Collation
import Foundation

/// Reads lists of contacts, page by page.
struct ContactPages: Sendable {
  /// The first page is short, so that there is soon something to read; the others grow up to what
  /// the agent gives at once.
  private static let firstPageSize = 250
  private static let pageSizeMaximum = 1000

  let agent: AgentClient
  /// What the list is of and how it is sorted.
  var query: [(String, String)]

  /// A list of the contacts that answer `query`.
  init(_ agent: AgentClient, _ query: [(String, String)]) {
    self.agent = agent
    self.query = query + Self.language(ProcessInfo.processInfo.environment)
  }

  /// The language of `environment`, as a list is asked for in it; nothing when it names none.
  static func language(_ environment: [String: String]) -> [(String, String)] {
    let value = Language.variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return value.map { [("locale", $0)] } ?? []
  }

  /// At most `count` contacts; all when it is `nil`.
  func contacts(atMost count: Int?) async throws(ControlFailure) -> [ContactView] {
    var contacts: [ContactView] = []
    try await forEachPage(from: Self.firstPageSize, atMost: count) {
      (page) throws(ControlFailure) in
      contacts += try ContactListReader.contacts(page)
    }
    return contacts
  }

  /// The pages of at most `count` contacts, as the agent wrote them; of all when it is `nil`.
  func pages(atMost count: Int?) async throws(ControlFailure) -> [[UInt8]] {
    var pages: [[UInt8]] = []
    try await forEachPage(from: Self.pageSizeMaximum, atMost: count) { pages.append($0) }
    return pages
  }

  /// Several pages as one JSON object.
  static func joined(_ pages: [[UInt8]]) throws(ControlFailure) -> [UInt8] {
    try JSONText.joined(pages, list: "contacts")
  }

  /// Hands each page to `body` while the next one is on its way.
  private func forEachPage(
    from firstSize: Int, atMost count: Int?,
    _ body: ([UInt8]) throws(ControlFailure) -> Void
  ) async throws(ControlFailure) {
    guard count != 0 else { return }
    var rest = count ?? .max
    var size = min(rest, firstSize)
    var page = try await self.page(size, after: nil)
    while true {
      rest -= size
      guard let cursor = page.next, rest > 0 else { return try body(page.bytes) }
      size = min(rest, size * 2, Self.pageSizeMaximum)
      async let following = result(size, after: cursor)
      try body(page.bytes)
      page = try await following.get()
    }
  }

  private func page(
    _ size: Int, after cursor: String?
  ) async throws(ControlFailure) -> AgentReply {
    var page = query + [("limit", String(size))]
    if let cursor { page.append(("cursor", cursor)) }
    return try await agent.get(["contacts"], query: page)
  }

  // NB: `async let` forgets which errors there are.
  private func result(
    _ size: Int, after cursor: String
  ) async -> Result<AgentReply, ControlFailure> {
    do throws(ControlFailure) {
      return .success(try await page(size, after: cursor))
    } catch {
      return .failure(error)
    }
  }
}
