// Probable duplicates, and merging two contacts. The search reads all contacts, so it does not run on the
// event loops; only one search runs at a time.

import AddressBook
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import TimelineStore

extension AgentAPI {
  /// The maximum number of pairs in a list. After merging them, a client can request the list again.
  private static let duplicatesMax = 1000

  func addDuplicateRoutes(to router: Router<BasicRequestContext>) {
    router.get("v1/duplicates") { _, _ in try await duplicates() }
    router.post("v1/contacts/:id/merge") { request, context in
      try await merge(id(context), request)
    }
  }

  private func duplicates() async throws -> Response {
    let pairs = try await Self.readingBeside { [reader] in
      try reader.duplicates(limit: Self.duplicatesMax)
    }
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("duplicates")
      json.list(pairs) { json, pair in
        json.object { json in
          json.key("contacts")
          json.list([pair.first, pair.second]) { json, member in
            json.object { json in
              json.key("id")
              json.value(member.id.publicID.text)
              json.key("name")
              json.value(member.title)
            }
          }
          json.key("reasons")
          json.list(pair.judgement.reasons) { json, reason in
            json.object { json in
              json.key("fact")
              json.value(reason.fact.rawValue)
              json.key("value")
              json.value(reason.value)
            }
          }
        }
      }
    }
    return .json(json)
  }

  /// Runs work that takes seconds on Swift's global executor, not on an event loop that serves other
  /// requests.
  private static func readingBeside<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask(executorPreference: globalConcurrentExecutor) { try body() }
      guard let result = try await group.next() else {
        throw RecordsError(.operationCancelled, "The search was cancelled.")
      }
      return result
    }
  }

  // MARK: Merging

  private func merge(_ id: String, _ request: Request) async throws -> Response {
    let other = try await body(request, as: MergeForm.self).with
    let (present, leaving) = (
      try Self.contact(id, in: reader), try Self.contact(other, in: reader)
    )
    // Both ids may refer to the same contact, for example a former id and the current one.
    guard leaving.id != present.id else {
      throw RecordsError.invalid("A contact cannot be merged with itself.", field: "with")
    }
    try await bringFiles(of: [leaving], to: present.id.zone)
    let merged = try await driver.edit { replica, now in
      let kept = try written(present.id)
      let given = try written(leaving.id)
      let merge = ContactMerge(kept: kept.fields, given: given.fields)
      let save = LocalEdit.RecordSave(
        id: kept.id, type: ContactRecord.type, changes: merge.changes, expectation: .present)
      let result = try replica.perform(
        [.save(save), .delete(given.id, version: given.version)], as: UserAction(.merge), now: now)
      return ((record: kept.id, action: result.action, moved: merge.moved), result.actions)
    }
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("id")
      json.value(merged.record.publicID.text)
      json.key("deleted")
      json.value(leaving.publicID.text)
      json.key("moved")
      json.list(merged.moved) { json, moved in
        json.object { json in
          json.key("field")
          json.value(moved.property)
          json.key("kept")
          json.value(moved.kept)
          json.key("other")
          json.value(moved.other)
          json.key("to")
          json.value(moved.destination)
        }
      }
    }
    var response = Response.json(json)
    if let action = merged.action { response.headers[.undoAction] = String(action) }
    return response
  }
}

/// The body of a merge.
struct MergeForm: Decodable, Sendable {
  /// The contact to merge and delete.
  let with: String
}
