// Lists come in pages, so that neither side holds more than it can show; a verb wants them whole.
// They are asked for in the language of the person's environment, which may be another than the
// agent's.

import Collation
import Foundation

/// The pages of one list of contacts.
struct ContactPages: Sendable {
  private static let pageSize = 1000

  private var pages: [AgentReply] = []

  /// Reads at most `count` contacts that answer `query`; all when it is `nil`.
  static func read(
    from agent: AgentClient, query: [(String, String)], count: Int?
  ) async throws(ControlFailure) -> ContactPages {
    var result = ContactPages()
    var cursor: String?
    var rest = count ?? .max
    let query = query + language(ProcessInfo.processInfo.environment)
    repeat {
      var page = query + [("limit", String(min(rest, pageSize)))]
      if let cursor { page.append(("cursor", cursor)) }
      let reply = try await agent.get(["contacts"], query: page)
      result.pages.append(reply)
      cursor = reply.next
      rest -= min(rest, pageSize)
    } while cursor != nil && rest > 0
    return result
  }

  /// The language of `environment`, as a list is asked for in it; nothing when it names none.
  static func language(_ environment: [String: String]) -> [(String, String)] {
    let value = Language.variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return value.map { [("locale", $0)] } ?? []
  }

  /// Another list behind this one.
  static func += (left: inout ContactPages, right: ContactPages) {
    left.pages += right.pages
  }

  /// All contacts.
  func contacts() throws(ControlFailure) -> [ContactView] {
    var all: [ContactView] = []
    for page in pages { all += try ContactListReader.contacts(page.bytes) }
    return all
  }

  /// One JSON object with all contacts.
  func joined() throws(ControlFailure) -> [UInt8] {
    if pages.count == 1 { return pages[0].bytes }
    return try JSONText.joined(pages.map(\.bytes), list: "contacts")
  }
}
