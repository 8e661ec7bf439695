// The contacts that a list can begin with: the user's own card and the favorites. Both are found by what every program
// keeps: the name of the account's user, and a category. Exports of Google have the category “starred”.

import AgentAPI

/// Puts the user's own card and the favorites before other contacts.
struct FavoriteOrder: Sendable {
  /// The part of a list that a contact belongs to, in order.
  enum Part: Hashable, Sendable, CaseIterable {
    case own, favorite, other

    /// The heading of the part; `nil` for the contacts that have headings of their own.
    var heading: String? {
      switch self {
      case .own: "My card"
      case .favorite: "Favorites"
      case .other: nil
      }
    }
  }

  /// The name of the account's user. The contact with this name is the user's own card.
  let ownName: String

  /// The categories of favorites, in lower case.
  private static let categories: Set = [
    "favorites", "favorite", "favourites", "favourite", "starred",
  ]

  /// Whether the contact has the category of favorites, in any case.
  static func isFavorite(_ contact: ContactItem.Line) -> Bool {
    contact.categories.contains { categories.contains($0.lowercased()) }
  }

  /// Returns the part that `contact` belongs to.
  func part(of contact: ContactItem.Line) -> Part {
    if contact.name == ownName { return .own }
    return Self.isFavorite(contact) ? .favorite : .other
  }

  /// Returns `items` part by part. Within a part, the order remains.
  func sorted(_ items: [ContactPages.Item]) -> [ContactPages.Item] {
    let parts = Dictionary(grouping: items) { part(of: $0.line) }
    return Part.allCases.flatMap { parts[$0] ?? [] }
  }
}
