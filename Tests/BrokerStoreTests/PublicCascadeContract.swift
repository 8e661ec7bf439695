// Every store: cascades in the public database. They delete other accounts' records too, regardless of
// permissions.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("T1, K5 public references contract")
struct PublicCascadeContract {
  private func comment(_ name: String, on parents: String..., type: String = "Comment")
    -> Operation
  {
    publicSave(name, type, ["post": .list(parents.map(going))])
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting a post deletes comments that its creator could not delete`(
    kind: StoreKind
  ) throws {
    var world = try PublicWorld(kind)
    #expect(try world.ada.change(publicSave("post", "Post")) == nil)
    #expect(try world.bob.change(comment("c1", on: "post")) == nil)
    #expect(try world.ada.change(comment("c2", on: "post", "c1")) == nil)
    #expect(try world.ada.change(forcedDelete("c1"))?.code == .permissionFailure)
    #expect(try world.bob.change(forcedDelete("post"))?.code == .permissionFailure)
    let (results, effects) = try world.ada.modify([forcedDelete("post")], in: .public)
    guard case .deleted(_, let cascaded) = results[0] else {
      throw RecordsError(.internalError, "\(results)")
    }
    #expect(cascaded.names.map(\.text) == ["c1", "c2"])
    let changes = effects.zones.flatMap(\.changes)
    #expect(changes.map(\.name.text) == ["post", "c1", "c2"])
    #expect(changes.allSatisfy { $0.modified.origin.account == world.ada.identity.account })
    #expect(try world.bob.publicNames("Comment").isEmpty)
    let late = try world.bob.change(comment("c3", on: "post"))
    #expect(late?.code == .referenceViolation && late?.reason == "parentDeleted")
    let page = try world.ada.store.cascaded(
      .public, by: changes[0].modified.origin.request, after: .zero, of: world.ada.identity)
    #expect(page.items.map(\.name.text) == ["post", "c1", "c2"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a record cannot refer to a parent that its author may not read`(kind: StoreKind) throws {
    var world = try PublicWorld(kind, "Diary: read creator")
    #expect(try world.ada.change(publicSave("d", "Diary")) == nil)
    let refused = try world.bob.change(comment("c", on: "d"))
    #expect(refused?.reason == "parentMissing", "nobody learns what there is")
    #expect(try world.ada.change(comment("c", on: "d")) == nil)
    #expect(try world.ada.change(forcedDelete("d")) == nil)
    #expect(try world.bob.change(comment("c", on: "d"))?.reason == "parentMissing")
    #expect(try world.ada.publicNames("Comment").isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting an account deletes the comments on its posts`(kind: StoreKind) throws {
    var world = try PublicWorld(kind)
    #expect(try world.ada.change(publicSave("post", "Post")) == nil)
    #expect(try world.bob.change(comment("on ada's", on: "post")) == nil)
    #expect(try world.bob.change(publicSave("own", "Post")) == nil)
    #expect(try world.ada.change(comment("on bob's", on: "own")) == nil)
    let order = StorageRequest.administer(.deleteAccount(name: "ada"), ConnectionID(1), replyTo: 1)
    guard case .administered(.success, _, _) = world.bob.committer.perform([order], at: time(9))[0]
    else { throw RecordsError(.internalError, "The account is there still.") }
    var continuation: StepReport.Continuation
    repeat {
      continuation = try world.bob.committer.report(of: .deletedAccounts, at: time(9)).continuation
    } while continuation != .finished
    #expect(try world.bob.publicNames("Comment").isEmpty)
    #expect(try world.bob.publicNames("Post") == ["own"])
  }
}
