// Probable duplicates, and merging two contacts. The search reads all contacts, so it does not run on the
// event loops; only one search runs at a time.

import AddressBook
import AgentAPI
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import TimelineStore

extension AgentRoutes {
  /// The maximum number of pairs in a list. After merging them, a client can request the list again.
  private static let duplicatesMax = 1000

  func addDuplicateRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.duplicates.route) { _, _ in try await duplicates() }
    router.post(AgentPath.merge().route) { request, context in
      try await merge(id(context), request)
    }
  }

  private func duplicates() async throws -> Response {
    let pairs = try await Self.readingBeside { [reader] in
      try reader.duplicates(limit: Self.duplicatesMax)
    }
    return try .json(DuplicatesView(duplicates: pairs.map { DuplicatesView.Pair($0) }))
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
    guard try !request.flag(AgentQuery.dryRun) else { return try preview(present, leaving) }
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
    return try Response.json(
      MergedView(
        id: merged.record.publicID.text, deleted: leaving.publicID.text,
        moved: merged.moved.map { MergedView.Moved($0) })
    ).undone(by: merged.action)
  }

  /// Returns what a merge would give. Nothing changes.
  private func preview(_ kept: RecordView, _ given: RecordView) throws -> Response {
    let merge = ContactMerge(kept: kept.fields, given: given.fields)
    let row = try reader.row(
      of: kept.replacing(merge.changes.applied(to: kept.fields)), order: order(nil))
    return try .json(
      MergedView(
        id: kept.publicID.text, deleted: given.publicID.text,
        moved: merge.moved.map { MergedView.Moved($0) },
        contact: ContactItem(row, who: identity(), names: preferences.nameOrder())))
  }
}

extension MergedView.Moved {
  fileprivate init(_ moved: ContactMerge.Moved) {
    self.init(field: moved.property, kept: moved.kept, other: moved.other, to: moved.destination)
  }
}

extension DuplicatesView.Pair {
  fileprivate init(_ pair: DuplicateView) {
    self.init(
      contacts: [pair.first, pair.second].map {
        DuplicatesView.Contact(id: $0.id.publicID.text, name: $0.title)
      },
      reasons: pair.judgement.reasons.map {
        DuplicatesView.Reason(fact: $0.fact.rawValue, value: $0.value)
      })
  }
}
