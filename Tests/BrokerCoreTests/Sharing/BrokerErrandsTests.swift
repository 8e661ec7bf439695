// When the broker asks for errands to be done: at its start, after a commit that left some, and on until
// none is left; one step at a time. The like for what those leave who went.

import BrokerCore
import Records
import Testing

@Suite("Z4, I10 what is left to be done for others")
struct BrokerErrandsTests {
  private func isErrand(_ action: BrokerAction) -> Bool {
    if case .store(.runErrands) = action { true } else { false }
  }

  private func isRemoval(_ action: BrokerAction) -> Bool {
    if case .store(.removeLeft) = action { true } else { false }
  }

  private var left: CommitEffects {
    var effects = CommitEffects()
    effects.leavesErrands = true
    return effects
  }

  @Test func `at its start the broker asks once`() {
    var small = SmallBroker()
    #expect(small.broker.handle(.ticked(seconds: 1)).filter(isErrand).count == 1)
    #expect(small.broker.handle(.ticked(seconds: 2)).filter(isErrand).isEmpty, "it is under way")
    #expect(small.broker.handle(.stored([.ranErrands(CommitEffects())])).isEmpty)
    #expect(small.broker.handle(.ticked(seconds: 3)).filter(isErrand).isEmpty)
  }

  @Test func `it goes on as long as something is left, and tries again what failed`() {
    var small = SmallBroker()
    _ = small.broker.handle(.ticked(seconds: 1))
    _ = small.broker.handle(.stored([.ranErrands(CommitEffects())]))
    let shared = StorageResult.shared(
      ConnectionID(9), replyTo: 1, identity, wasTry: false,
      ShareOutcome(.success(.done), zone: nil, effects: left))
    #expect(small.broker.handle(.stored([shared])).filter(isErrand).count == 1)
    #expect(small.broker.handle(.stored([shared])).filter(isErrand).isEmpty, "one at a time")
    #expect(small.broker.handle(.stored([.ranErrands(left)])).filter(isErrand).count == 1)
    #expect(small.broker.handle(.stored([.ranErrands(nil)])).filter(isErrand).isEmpty)
    #expect(small.broker.handle(.ticked(seconds: 2)).filter(isErrand).count == 1)
  }

  @Test func `what a step tells is sent like any other news of the directory`() {
    var small = SmallBroker()
    let connection = ConnectionID(1)
    small.openLevel(connection)
    _ = small.broker.handle(.ticked(seconds: 1))
    let news = DirectoryCommit(
      container: 1, account: identity.accountKey,
      page: DirectoryPage(from: Revision(4), to: Revision(5), entries: []))
    let actions = small.broker.handle(
      .stored([.ranErrands(CommitEffects(directories: [news]))]))
    #expect(small.messages(in: actions).map(small.name) == ["directory"])
  }

  @Test func `a removal that has to wait for something else is not tried again at once`() {
    var small = SmallBroker()
    #expect(small.broker.handle(.ticked(seconds: 1)).filter(isRemoval).count == 1)
    let more = StorageResult.removedLeft(RemovedRecords(isMore: true))
    #expect(small.broker.handle(.stored([more])).filter(isRemoval).count == 1)
    let putOff = StorageResult.removedLeft(RemovedRecords(isMore: true, isPutOff: true))
    #expect(small.broker.handle(.stored([putOff])).filter(isRemoval).isEmpty)
    #expect(small.broker.handle(.ticked(seconds: 2)).filter(isRemoval).count == 1)
  }
}
