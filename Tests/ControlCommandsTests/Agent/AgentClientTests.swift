// Paths and queries of requests.

import AgentAPI
import Foundation
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("parts of request paths")
struct AgentClientTests {
  @Test func `any text is escaped to ASCII that no path gives a meaning, and comes back`() {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%".utf8)
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text =
        random.hostile(upTo: 8) + random.one(of: ["", "/", "?", "#", "&", "+", "..", "%41"])
      let escaped = AgentClient.escaped(text)
      #expect(Set(escaped.utf8).isSubset(of: plain), "seed \(seed): \(escaped)")
      // Foundation leaves out a byte order mark at the beginning.
      let read = "." + text
      #expect(("." + escaped).removingPercentEncoding == read, "seed \(seed): \(escaped)")
    }
  }

  @Test func `an empty id is not found, without a request`() async throws {
    let address = try AgentAddress(
      agent: "/nowhere/s", device: nil, environment: [:], userID: 7)
    let client = AgentClient(address: address)
    var codes: [ControlCommands.ExitStatus] = []
    for path in [AgentPath("contacts", ""), AgentPath("groups", "", "contacts"), AgentPath("")] {
      do throws(ControlFailure) {
        _ = try await client.get(path)
      } catch {
        codes.append(error.exitCode)
      }
    }
    do throws(ControlFailure) {
      _ = try await client.get(AgentPath("contacts", "x"))
    } catch {
      codes.append(error.exitCode)
    }
    await client.close()
    #expect(codes == [.notFound, .notFound, .notFound, .unreachable])
  }

  @Test func `a language of the environment is a parameter, the first that is not empty`() {
    #expect(ContactPages.language([:]).isEmpty)
    #expect(ContactPages.language(["LANG": ""]).isEmpty)
    #expect(ContactPages.language(["LANG": "sv_SE.UTF-8"]).map(\.1) == ["sv_SE.UTF-8"])
    let several = ["LANG": "de", "LC_ALL": "sv", "LC_COLLATE": "fr"]
    #expect(ContactPages.language(several).map(\.0) == ["locale"])
    #expect(ContactPages.language(several).map(\.1) == ["sv"])
    #expect(ContactPages.language(["LC_ALL": "", "LANG": "de"]).map(\.1) == ["de"])
  }
}
