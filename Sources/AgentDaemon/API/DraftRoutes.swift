// The drafts of the web page: stored as the user types, until they are saved or discarded.

import AgentAPI
import AgentStore
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentRoutes {
  /// The maximum length of the id, the title and the address of a draft.
  private static let draftNameBytesMaximum = 1_024

  func addDraftRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.drafts.route) { _, _ in try await listDrafts() }
    router.put(AgentPath.draft().route) { request, context in
      try await saveDraft(id(context), request)
    }
    router.delete(AgentPath.draft().route) { request, context in
      try await removeDraft(id(context), request)
    }
  }

  private func listDrafts() async throws -> Response {
    let (incarnation, drafts) = try reader.read { db in
      (try DraftTable(db).incarnation(), try DraftTable(db).all())
    }
    let known: String
    if let incarnation { known = incarnation } else { known = try await beginDrafts() }
    return try .json(DraftsView(incarnation: known, drafts: drafts.map { DraftItem($0) }))
  }

  /// Begins the list of drafts, unless another page has begun it meanwhile.
  private func beginDrafts() async throws -> String {
    try await editDrafts { drafts, _ in
      if let incarnation = try drafts.incarnation() { return incarnation }
      let incarnation = String(UInt64.random(in: 1 ... .max), radix: 16)
      try drafts.begin(incarnation: incarnation)
      return incarnation
    }
  }

  private func saveDraft(_ id: String, _ request: Request) async throws -> Response {
    let form = try await body(request, as: DraftForm.self)
    guard let kind = Draft.Kind(rawValue: form.kind) else {
      throw RecordsError.invalid("There is no such kind of drafts.", field: "kind")
    }
    for name in [id, form.target ?? "", form.title, form.address, form.replaces?.id ?? ""] {
      guard name.utf8.count <= Self.draftNameBytesMaximum else {
        throw RecordsError.limit(
          "The bytes of a draft's id, title or address", limit: Self.draftNameBytesMaximum,
          actual: name.utf8.count)
      }
    }
    let sequence = try NumberParameter.sequence("sequence").checked(form.sequence)
    let zone = try kind == .contact ? form.target.flatMap { try group(ofContact: $0) } : nil
    try await editDrafts { drafts, now in
      guard try drafts.incarnation() == form.incarnation else { throw RecordsError.draftsRemoved }
      try drafts.save(
        Draft(id, kind, form, sequence: sequence, changed: now), of: zone,
        replacing: form.replaces.map { DraftTable.Replaced(id: $0.id, sequence: $0.sequence) })
    }
    return Response(status: .noContent)
  }

  /// Returns the group of a contact; `nil` if there is no such contact any more.
  private func group(ofContact id: String) throws -> ZoneID? {
    try ContactID(id, in: reader).contact()?.id.zone
  }

  private func removeDraft(_ id: String, _ request: Request) async throws -> Response {
    let sequence = try NumberParameter.sequence(AgentQuery.sequence).value(in: request)
    try await editDrafts { drafts, _ in try drafts.remove(id, through: sequence) }
    return Response(status: .noContent)
  }

  private func editDrafts<Result: Sendable>(
    _ body: @Sendable (DraftTable, Timestamp) throws -> Result
  ) async throws -> Result {
    try await driver.edit { replica, now in
      guard try replica.reader.signOutReason() == nil else { throw RecordsError.draftsRemoved }
      let done = try replica.edit(now: now) { try body(DraftTable($0.transaction.db), now) }
      return (done.result, done.actions)
    }
  }
}

extension RecordsError {
  /// The error for a page that was open before its account signed out.
  static var draftsRemoved: RecordsError {
    RecordsError(
      .constraintViolation, "Drafts of this page were removed when the device signed out.",
      hint: "Load the page again.", reason: "draftsRemoved")
  }
}

extension Draft {
  fileprivate init(
    _ id: String, _ kind: Kind, _ form: DraftForm, sequence: Int64, changed: Timestamp
  ) {
    self.init(
      id: id, kind: kind, target: form.target, title: form.title, address: form.address,
      version: form.version, sequence: sequence, base: form.base, texts: form.texts,
      changed: changed)
  }
}

extension DraftItem {
  fileprivate init(_ draft: Draft) {
    self.init(
      id: draft.id, kind: draft.kind.rawValue, target: draft.target, title: draft.title,
      address: draft.address, version: draft.version, sequence: draft.sequence, base: draft.base,
      texts: draft.texts, changed: draft.changed)
  }
}
