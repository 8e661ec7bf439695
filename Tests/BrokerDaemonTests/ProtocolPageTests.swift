// Compares docs/protocol.md with the code: a developer of a client has only the page.

import BrokerCore
import Foundation
import Matching
import Predicates
import Records
import Testing

@Suite("K1 the protocol page")
struct ProtocolPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  /// The targets of the broker, which alone sends errors to clients.
  private static let modules = [
    "AssetFiles", "BrokerCore", "BrokerDaemon", "BrokerPostgreSQL", "BrokerServer", "BrokerStore",
    "Matching", "Predicates", "Records", "RecordsWire",
  ]
  /// A link's text is read by clients, which the broker never sees.
  private static let reasonsOfClients: Set<String> = ["malformedLink"]

  /// The rows of the table below a line of the page.
  private func table(below head: String) throws -> [(what: String, value: String)] {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/protocol.md"), encoding: .utf8)
    let lines = page.components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: head), "The page has no table “\(head)”.")
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return (cells[0], cells.dropFirst().joined(separator: "|"))
    }
  }

  private func names(in rows: [(what: String, value: String)]) -> [String] {
    rows.flatMap { row in
      row.what.split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
    }
  }

  @Test func `the page names every code, and no other`() throws {
    let codes = try names(in: table(below: "| code | means |"))
    #expect(Set(codes) == Set(RecordsError.Code.allCases.map(\.rawValue)))
    #expect(codes.count == Set(codes).count)
  }

  @Test func `the page names every reason in the broker's code, and no other`() throws {
    let reasons = try names(in: table(below: "| reason | means |"))
    #expect(reasons.count == Set(reasons).count)
    var found: Set<String> = []
    for module in Self.modules {
      let folder = Self.root.appending(path: "Sources/\(module)").path
      let files = try #require(FileManager.default.enumerator(atPath: folder))
      for case let name as String in files
      where name.hasSuffix(".swift") && !name.hasPrefix("Generated/") {
        let source = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        // The single quoted words after “reason:” or “Reason =” in a line.
        for line in source.matches(of: /eason(?::| =)([^\n]*)/) {
          for word in line.1.matches(of: /[ ]"([a-z]+[A-Za-z]*)"/) { found.insert(String(word.1)) }
        }
      }
    }
    #expect(found.subtracting(Self.reasonsOfClients) == Set(reasons))
  }

  @Test func `the page states the limits of the code`() throws {
    let rows = try table(below: "| what | at most |")
    for row in rows {
      let wanted = Self.limits[row.what]
      #expect(row.value == wanted, "\(row.what)")
    }
    #expect(Set(rows.map(\.what)) == Set(Self.limits.keys))
  }

  // MARK: The limits, as the page writes them

  private static func number(_ number: some BinaryInteger) -> String {
    let digits = String(number)
    return digits.count > 3 ? "\(digits.dropLast(3)),\(digits.suffix(3))" : digits
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case (1 << 20)...: "\(bytes >> 20) MiB"
    case (1 << 10)...: "\(bytes >> 10) KiB"
    default: "\(bytes) bytes"
    }
  }

  private static let limits: [String: String] = [
    "a frame without its length": size(Limits.frameBytes),
    "a frame with a modify":
      "\(size(Limits.requestBytes)), \(Limits.operationsPerRequest) operations in at most "
      + "\(Limits.operationsPerRequest) groups",
    "a frame with a `hello`": size(BrokerLimits.greetingBytes),
    "stored records that one modify reads and writes":
      "\(size(Limits.storedBytesPerRequest)) together, else `limitExceeded`, reason "
      + "`storedBytes`: split it",
    "a record without its assets":
      "\(size(Limits.recordBytes)), \(number(Limits.fieldsPerRecord)) fields",
    "a list, the entries of a field": number(Limits.valuesPerList),
    "records of one fetch": "\(Limits.idsPerFetch), \(size(Limits.frameBytes)) together",
    "zones an account owns or participates in": number(Limits.zonesPerAccount),
    "zones an account's directory names, those deleted or left in the last 90 days included":
      number(Limits.zonesNamedPerAccount),
    "parents of one record": number(Limits.parentsPerRecord),
    "records that cascading deletions remove in one transaction":
      "\(number(Limits.cascadePerTransaction)), then in following ones",
    "their names in one outcome": number(Limits.cascadedNamesPerOutcome),
    "zones followed by one connection": number(Limits.zonesPerSession),
    "modify requests in flight": number(Limits.requestsInFlight),
    "seconds until `hello`, the TLS handshake included": number(BrokerLimits.greetingSeconds),
    "connections over TLS that have not signed in":
      "\(number(BrokerLimits.strangersPerNetwork)) from one network, "
      + "\(number(BrokerLimits.strangers)) in all and at most half of all connections; the oldest ends",
    "attempts with unknown invitations":
      "\(number(BrokerLimits.joinTriesPerNetwork)) from one network, then one every "
      + "\(number(BrokerLimits.secondsPerJoinTry)) seconds",
    "invitations of an account that have not expired": number(BrokerLimits.invitationsPerAccount),
    "seconds of silence of a device":
      "\(BrokerLimits.silenceSeconds); `heartbeat_seconds` is \(BrokerLimits.heartbeatSeconds)",
    "bytes of the broker's disk that stay free":
      "\(size(BrokerLimits.diskReserveBytes)); saves stop at half of it",
    "earlier versions of a record":
      "\(Limits.earlierVersionsPerAuthor) of each author, for \(Limits.earlierVersionDays) days",
    "devices in a directory page": number(BrokerLimits.devicesPerDirectory),
    "a predicate's text":
      "\(size(PredicateLimits.textBytes)), \(PredicateLimits.terms) comparisons, "
      + "\(PredicateLimits.depth) deep, \(number(PredicateLimits.valuesPerList)) values in a list",
    "a subscription with its arguments": size(Limits.subscriptionBytes),
    "subscriptions of an account":
      "\(number(Limits.subscriptionsPerAccount)), "
      + "\(size(Limits.subscriptionBytesPerAccount)) together",
    "a title or body as written, filled":
      "\(size(NotificationLimits.textBytes)), \(size(NotificationLimits.filledBytes))",
    "a collapse key": size(NotificationLimits.collapseKeyBytes),
    "desired keys of a subscription": number(NotificationLimits.desiredKeys),
    "notifications sent ahead of acknowledgements": number(Limits.unacknowledgedNotifications),
    "pending notifications of a device": "\(number(Limits.waitingNotifications)), then collapsed",
    "records of a query's page":
      "\(number(QueryLimits.pageRecordsMax)), \(size(QueryLimits.pageBytes))",
    "queries of a connection in progress": number(Limits.queriesInFlight),
    "participants of a share besides its owner, including invited ones": number(
      Limits.participantsPerShare),
    "accounts of one request or answer": number(Limits.accountsPerPage),
    "unacknowledged outcomes": number(Limits.unacknowledgedOutcomes),
    "names of lost records in a `level`; where there are more, it has no `former`":
      number(Limits.lostNames),
    "an asset, unless configured otherwise": size(Limits.assetBytes),
    "a chunk of an asset":
      "\(size(Limits.assetPieceBytes)); every broker accepts \(size(Limits.assetPieceBytesMinimum))",
    "assets that one connection uploads at a time": number(Limits.assetUploadsPerSession),
    "lost assets per page": number(Limits.wantedAssetsPerPage),
    "chunks requested and not yet received": number(Limits.assetFetchesInFlight),
    "a record name, key, type, title": "\(size(Limits.nameBytes)), no control characters",
  ]
}
