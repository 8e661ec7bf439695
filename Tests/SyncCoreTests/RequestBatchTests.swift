// The limits of one request.

import Records
import SyncCore
import Testing

@Suite("Batches of operations")
struct RequestBatchTests {
  @Test func `a request takes four hundred operations and not one more`() {
    var batch = RequestBatch(bytesMaximum: 1_000_000)
    #expect(batch.offer(group(399)) == .taken)
    #expect(batch.offer(group(2)) == .full)
    #expect(batch.offer(group(1)) == .taken)
    #expect(batch.offer(group(1)) == .full)
    #expect(batch.groups.count == 2)
  }

  @Test func `a group that is too large for any request has another result than a full batch`() {
    var batch = RequestBatch(bytesMaximum: 500)
    #expect(batch.offer(group(1)) == .taken)
    #expect(batch.offer(group(20)) == .tooLarge)
    #expect(batch.offer(group(401)) == .tooLarge)
  }

  private func group(_ count: Int) -> OperationGroup {
    OperationGroup(
      zone: .standard,
      operations: (0..<count).map {
        .delete(Operation.Delete(name: RecordName(stored: "r\($0)"), tag: nil))
      })
  }
}
