import Records
import Testing

@testable import Contacts

@Suite("A2 preferred entries")
struct PreferredFirstTests {
  @Test(arguments: [
    ([nil, 1, nil], [1, 0, 2]), ([2, nil, 1], [2, 0, 1]), ([nil, nil], [0, 1]), ([], []),
    ([1, 1, nil, 1], [0, 1, 3, 2]), ([100, nil, 50], [2, 0, 1]),
  ])
  func `preferred entries come first, and equal ones keep their order`(
    preferences: [Int?], order: [Int]
  ) {
    let entries = preferences.enumerated().map { index, preference in
      ContactDraft.DraftEntry(
        texts: [.value: "\(index)", .preference: preference.map { "\($0)" } ?? ""])
    }
    #expect(entries.preferredFirst.map { $0[.value] } == order.map { "\($0)" })
  }
}
