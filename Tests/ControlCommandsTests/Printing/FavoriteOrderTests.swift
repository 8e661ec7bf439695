// The user's own card and the favorites before the others.

import AgentAPI
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("C1 favorites first")
struct FavoriteOrderTests {
  private static func item(_ name: String, _ categories: [String] = []) -> ContactPages.Item {
    var line = ContactItem.Line()
    line.name = name
    line.categories = categories
    return (line, [])
  }

  @Test(arguments: ["Favorites", "favourite", "STARRED", "favorite", "Favourites"])
  func `a favorite has the category in any case and in both spellings`(category: String) {
    #expect(FavoriteOrder.isFavorite(Self.item("A", ["choir", category]).line))
    #expect(!FavoriteOrder.isFavorite(Self.item(category, ["\(category)s of others"]).line))
  }

  @Test func `the own card precedes the favorites, and these precede the others`() {
    let items = [
      Self.item("Zed"), Self.item("Amy", ["starred"]), Self.item("Bob Bauer"),
      Self.item("Bea", ["Favorites"]), Self.item("Al"),
    ]
    let sorted = FavoriteOrder(ownName: "Bob Bauer").sorted(items)
    #expect(sorted.map(\.line.name) == ["Bob Bauer", "Amy", "Bea", "Zed", "Al"])
  }

  @Test func `random lists keep every contact, and the order within each part`() {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let items = (0..<random.below(30)).map { index in
        Self.item(random.percent(10) ? "Me" : "\(index)", random.percent(30) ? ["starred"] : [])
      }
      let order = FavoriteOrder(ownName: "Me")
      let sorted = order.sorted(items)
      for part in FavoriteOrder.Part.allCases {
        #expect(
          sorted.filter { order.part(of: $0.line) == part }.map(\.line)
            == items.filter { order.part(of: $0.line) == part }.map(\.line), "seed \(seed)")
      }
      #expect(sorted.count == items.count, "seed \(seed)")
    }
  }
}
