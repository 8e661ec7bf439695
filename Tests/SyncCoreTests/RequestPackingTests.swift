// What fits into one request.

import Records
import SyncCore
import Testing

@Suite("Packing requests")
struct RequestPackingTests {
  @Test func `a request takes four hundred operations and not one more`() {
    var packing = RequestPacking(bytesMost: 1_000_000)
    #expect(packing.offer(group(399)) == .taken)
    #expect(packing.offer(group(2)) == .full)
    #expect(packing.offer(group(1)) == .taken)
    #expect(packing.offer(group(1)) == .full)
    #expect(packing.groups.count == 2)
  }

  @Test func `a group that fits in no request is told apart from a full one`() {
    var packing = RequestPacking(bytesMost: 500)
    #expect(packing.offer(group(1)) == .taken)
    #expect(packing.offer(group(20)) == .tooLarge)
    #expect(packing.offer(group(401)) == .tooLarge)
  }

  private func group(_ count: Int) -> OperationGroup {
    OperationGroup(
      zone: .standard,
      operations: (0..<count).map {
        .delete(Operation.Delete(name: RecordName(stored: "r\($0)"), tag: nil))
      })
  }
}
