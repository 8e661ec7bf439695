// COPY and MOVE of cards, within a book and between books.

import CardDAV
import CardDAVStore
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore

/// Answers requests that copy or move a card.
struct TransferRoute: Sendable {
  let api: AgentRoutes
  let request: CardDAVRequest

  /// Returns the response.
  func response() async throws -> Response {
    guard case .card(let book, let name) = request.path else {
      throw DAVError(.forbidden, "Only cards are copied and moved here.")
    }
    let transfer = try CardTransfer(
      isMove: request.method == "MOVE", book: book, name: name, target: target(),
      overwrites: request["Overwrite"]?.uppercased() != "F",
      conditions: request.preconditions(), password: request.password)
    let (record, zone) = try api.reader.read { db in
      let places = try transfer.places(db)
      return (try DeviceReader.record(places.card.id, db), places.to.zone)
    }
    guard let record else { throw CardRoute.missing }
    try await api.bringFiles(of: [record], to: zone, isCopy: !transfer.isMove)
    let isNew = try await api.driver.edit { replica, now in
      let action = UserAction(transfer.isMove ? .move : nil)
      let done = try replica.edit(as: action, isAsked: false, now: now) {
        try transfer.apply(to: &$0, now: now)
      }
      return (done.result, done.actions)
    }
    return Response(status: isNew ? .created : .noContent)
  }

  private func target() throws(DAVError) -> CardTransfer.Target {
    guard let text = request["Destination"] else {
      throw DAVError(.badRequest, "The header Destination is missing.")
    }
    guard isHere(text) else {
      throw DAVError(.badGateway, "The destination is on another server.")
    }
    guard case .card(let book, let name) = try DAVPath(text) else {
      throw DAVError(.conflict, "The destination is not in an address book.")
    }
    return CardTransfer.Target(book: book, name: name)
  }

  /// Whether an address is on this server: a path, or an address with the host of the request. A proxy may leave out the
  /// port of that.
  private func isHere(_ address: String) -> Bool {
    guard let scheme = address.firstRange(of: "://") else { return true }
    let host = address[scheme.upperBound...].prefix { $0 != "/" }
    return Self.name(in: host) == Self.name(in: request.request.head.authority ?? "")
  }

  /// Returns the name in a host and port, in lower case.
  private static func name(in host: some StringProtocol) -> String {
    let end = host.lastIndex(of: ":").flatMap { host[$0...].contains("]") ? nil : $0 }
    return host[..<(end ?? host.endIndex)].lowercased()
  }
}
