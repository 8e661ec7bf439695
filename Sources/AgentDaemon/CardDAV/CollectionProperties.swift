// The properties of everything but cards: the root, the account, its home, its books and their birthdays.

import CardDAV
import CardDAVStore
import GRDB
import Records

/// The properties of a collection, or of the account.
struct CollectionProperties {
  /// The maximum size of a card, in bytes. One with a picture of the size that the broker accepts by default fits.
  static let cardBytesMaximum = 24 << 20

  /// What it is.
  let path: DAVPath
  /// What people call the account.
  let account: String
  /// The book, if it is one or its birthdays.
  var book: CardDAVBook?
  /// The state of the book.
  var token: SyncToken?

  /// Returns the answer to a request for properties.
  func answer(to selection: PropertySelection) -> Multistatus.Properties {
    var answer = Multistatus.Properties()
    switch selection.extent {
    case .names: answer.found = names.map { XMLTree($0) }
    case .all(let further): add(names + further.filter { !names.contains($0) }, to: &answer)
    case .some(let wanted): add(wanted, to: &answer)
    }
    return answer
  }

  private func add(_ wanted: [XMLName], to answer: inout Multistatus.Properties) {
    for name in wanted {
      if let value = value(of: name) {
        answer.found.append(value)
      } else {
        answer.missing.append(name)
      }
    }
  }

  /// The names of the properties.
  private var names: [XMLName] {
    let common: [XMLName] = [
      .dav("resourcetype"), .dav("displayname"), .dav("current-user-principal"), .dav("owner"),
      .dav("principal-collection-set"), .dav("current-user-privilege-set"),
      .dav("supported-report-set"),
    ]
    switch path {
    case .root, .principal: return common + [.dav("principal-URL"), .card("addressbook-home-set")]
    case .book:
      return common + [
        .dav("sync-token"), .calendarServer("getctag"), .card("supported-address-data"),
        .card("max-resource-size"), .card("supported-collation-set"),
        .card("addressbook-description"),
      ]
    case .birthdays: return common + [.dav("getcontenttype"), .dav("getetag")]
    default: return common
    }
  }

  private func value(of name: XMLName) -> XMLTree? {
    switch name.namespace {
    case XMLName.dav("").namespace: davValue(of: name)
    case XMLName.card("").namespace: cardValue(of: name)
    case XMLName.calendarServer("").namespace where name.local == "getctag" && isBook:
      token.map { XMLTree(name, text: $0.text) }
    default: nil
    }
  }

  private func davValue(of name: XMLName) -> XMLTree? {
    switch name.local {
    case "resourcetype": XMLTree(name, children: types.map { XMLTree($0) })
    case "displayname": XMLTree(name, text: title)
    case "current-user-principal": XMLTree(name, children: [Self.href(.principal)])
    // The owner of a shared book has no address here.
    case "owner" where book?.isOwn ?? true: XMLTree(name, children: [Self.href(.principal)])
    case "principal-collection-set": XMLTree(name, children: [Self.href(.principals)])
    case "principal-URL" where path == .principal || path == .root:
      XMLTree(name, children: [Self.href(.principal)])
    case "current-user-privilege-set": privileges(name)
    case "supported-report-set": reports(name)
    case "sync-token" where isBook: token.map { XMLTree(name, text: $0.text) }
    case "getcontenttype" where isCalendar: XMLTree(name, text: BirthdayCalendar.mediaType)
    case "getetag" where isCalendar:
      token.map { token in
        XMLTree(name, text: BirthdayCalendar.tag(title: title, state: token))
      }
    default: nil
    }
  }

  private func cardValue(of name: XMLName) -> XMLTree? {
    switch (name.local, isBook ? book : nil) {
    case ("addressbook-home-set", nil) where path == .principal || path == .root:
      return XMLTree(name, children: [Self.href(.home)])
    case ("supported-address-data", _?):
      let types = ["3.0", "4.0"].map { version in
        var type = XMLTree(.card("address-data-type"))
        type.attributes = ["content-type": "text/vcard", "version": version]
        return type
      }
      return XMLTree(name, children: types)
    case ("max-resource-size", _?): return XMLTree(name, text: String(Self.cardBytesMaximum))
    case ("supported-collation-set", _?):
      let collations = TextMatch.collations.map {
        XMLTree(.card("supported-collation"), text: $0)
      }
      return XMLTree(name, children: collations)
    case ("addressbook-description", let book?): return XMLTree(name, text: book.title)
    default: return nil
    }
  }

  private var types: [XMLName] {
    switch path {
    case .principal: [.dav("principal")]
    case .book: [.dav("collection"), .card("addressbook")]
    default: path.isCollection ? [.dav("collection")] : []
    }
  }

  private var isBook: Bool {
    if case .book = path { true } else { false }
  }

  private var isCalendar: Bool {
    if case .birthdays = path { true } else { false }
  }

  private var title: String {
    switch path {
    case .root, .principal: account
    case .principals: "Accounts"
    case .calendars: "Birthdays"
    case .birthdays: book?.calendarTitle ?? ""
    default: book?.title ?? "Address books"
    }
  }

  /// What the account may do. Clients show a book without `write` as read-only.
  private func privileges(_ name: XMLName) -> XMLTree {
    XMLTree(
      name,
      children: privilegeNames.map { XMLTree(.dav("privilege"), children: [XMLTree(.dav($0))]) })
  }

  private var privilegeNames: [String] {
    // Books are made in the home, and not deleted there.
    path == .home
      ? Self.privileges(isWritable: false) + ["bind"]
      : Self.privileges(isWritable: isBook && book?.isWritable == true)
  }

  /// Returns the names of the privileges (RFC 3744, section 3).
  static func privileges(isWritable: Bool) -> [String] {
    let reading = ["read", "read-current-user-privilege-set"]
    let writing = ["write", "write-properties", "write-content", "bind", "unbind"]
    return isWritable ? reading + writing : reading
  }

  private func reports(_ name: XMLName) -> XMLTree {
    let reports = isBook ? Report.names : []
    return XMLTree(
      name,
      children: reports.map { report in
        XMLTree(
          .dav("supported-report"),
          children: [XMLTree(.dav("report"), children: [XMLTree(report)])])
      })
  }

  /// Returns the element with an address.
  static func href(_ path: DAVPath) -> XMLTree { XMLTree(.dav("href"), text: path.href) }
}
