// The properties of a card. Most requests ask for the tag alone, for which the card is not composed.

import CardDAV
import CardDAVStore
import Foundation
import Records

/// The properties of a card.
struct CardProperties {
  /// The properties that need nothing but the resource.
  private static let light: Set<XMLName> = [
    .dav("resourcetype"), .dav("getetag"), .dav("getcontenttype"), .dav("owner"),
    .dav("current-user-principal"), .dav("current-user-privilege-set"),
  ]
  private static let heavy: [XMLName] = [
    .dav("getcontentlength"), .dav("getlastmodified"), .dav("displayname"),
  ]
  private static let data = XMLName.card("address-data")

  /// The book of the card.
  let book: CardDAVBook

  /// Whether the card has to be composed to answer.
  static func needContent(_ selection: PropertySelection) -> Bool {
    switch selection.extent {
    case .names: false
    case .all: true
    case .some(let names): !Set(names).isDisjoint(with: heavy + [data])
    }
  }

  /// Returns the answer to a request for properties.
  /// - Parameter content: The card; `nil` if it is not needed.
  func answer(
    to selection: PropertySelection, _ card: CardResource, _ content: CardContent?
  ) -> Multistatus.Properties {
    var answer = Multistatus.Properties()
    let all = Array(Self.light) + Self.heavy
    let wanted: [XMLName]
    switch selection.extent {
    case .names:
      answer.found = all.map { XMLTree($0) }
      return answer
    case .all(let further): wanted = all + further.filter { !all.contains($0) }
    case .some(let names): wanted = names
    }
    for name in wanted {
      if let value = value(of: name, card, content) {
        answer.found.append(value)
      } else {
        answer.missing.append(name)
      }
    }
    return answer
  }

  private func value(
    of name: XMLName, _ card: CardResource, _ content: CardContent?
  ) -> XMLTree? {
    if name == Self.data {
      return content.map { XMLTree(name, text: String(decoding: $0.bytes, as: UTF8.self)) }
    }
    guard name.namespace == Self.light.first?.namespace else { return nil }
    switch name.local {
    case "getetag": return XMLTree(name, text: card.tag)
    case "resourcetype": return XMLTree(name)
    case "getcontenttype": return XMLTree(name, text: CardContent.mediaType)
    case "getcontentlength": return content.map { XMLTree(name, text: String($0.bytes.count)) }
    case "getlastmodified":
      return content.map { XMLTree(name, text: HTTPDate.text($0.modified)) }
    case "displayname": return content.map { XMLTree(name, text: $0.title) }
    case "owner", "current-user-principal":
      return XMLTree(name, children: [CollectionProperties.href(.principal)])
    case "current-user-privilege-set":
      let privileges = CollectionProperties.privileges(isWritable: book.isWritable)
      return XMLTree(
        name,
        children: privileges.map {
          XMLTree(.dav("privilege"), children: [XMLTree(.dav($0))])
        })
    default: return nil
    }
  }
}
