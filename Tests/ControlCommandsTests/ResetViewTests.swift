// What a watcher says of events that are missing.

import AgentAPI
import Testing

@testable import ControlCommands

@Suite("B5 a reset of a stream")
struct ResetViewTests {
  @Test(
    arguments: [
      (#"{"missedThrough":3,"reason":"dropped"}"#, "no longer kept"),
      (#"{"missedThrough":3,"reason":"new"}"#, "no longer kept"),
      (#"{"missedThrough":3,"reason":"otherLog"}"#, "created again or copied"),
      (#"{"missedThrough":3,"reason":"ahead"}"#, "number is higher"),
    ])
  func `each reason has its sentence`(content: String, words: String) throws {
    let reset = try ResetView(ServerEvent(id: nil, kind: "reset", content: content))
    #expect(reset.sentence(of: "changes").contains(words))
  }
}
