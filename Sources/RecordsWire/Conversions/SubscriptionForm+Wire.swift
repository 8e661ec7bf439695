// Converts subscriptions. Stores keep the same bytes. Only the broker validates predicates, so a
// device passes on those that a newer broker understands.

import FoundationEssentials
import Records
import SwiftProtobuf

extension SubscriptionForm {
  /// Decodes a stored subscription.
  /// - Throws: `invalidArguments` if the bytes are not a subscription.
  package init(encoded: [UInt8]) throws(RecordsError) {
    guard let wire = try? WireSubscription(serializedBytes: encoded) else {
      throw .invalid("The bytes are not a subscription.")
    }
    try self.init(wire)
  }

  /// The subscription's bytes for a store.
  package var encoded: [UInt8] { wire.encoded }

  init(_ wire: WireSubscription) throws(RecordsError) {
    var options: FiringOptions = []
    if wire.firesOnCreation { options.insert(.creation) }
    if wire.firesOnUpdate { options.insert(.update) }
    if wire.firesOnDeletion { options.insert(.deletion) }
    self.init(
      id: SubscriptionID(stored: wire.id),
      device: wire.hasDevice ? try DeviceID(wire: wire.device) : nil,
      database: try DatabaseScope(wire.database), kind: try Kind(wire), options: options,
      firesOnce: wire.firesOnce, includesOwnChanges: wire.includesOwnChanges,
      notification: try NotificationForm(wire.notification))
  }

  var wire: WireSubscription {
    .with {
      $0.id = id.text
      if let device { $0.device = device.wire }
      $0.database = database.wire
      $0.kind = kind.wire
      $0.firesOnCreation = options.contains(.creation)
      $0.firesOnUpdate = options.contains(.update)
      $0.firesOnDeletion = options.contains(.deletion)
      $0.firesOnce = firesOnce
      $0.includesOwnChanges = includesOwnChanges
      $0.notification = notification.wire
    }
  }
}

extension SubscriptionForm.Kind {
  fileprivate init(_ wire: WireSubscription) throws(RecordsError) {
    switch wire.kind {
    case .query(let query):
      self = .query(
        type: try RecordType(query.type),
        predicate: try PredicateText(query.predicate, query.arguments),
        zone: query.hasZone ? try ZoneID(query.zone) : nil)
    case .zone(let zone):
      self = .zone(try ZoneID(zone.zone), type: try Self.type(zone.type))
    case .all(let all): self = .database(type: try Self.type(all.type))
    case nil: throw .unknownKind(of: "subscription")
    }
  }

  private static func type(_ text: String) throws(RecordsError) -> RecordType? {
    text.isEmpty ? nil : try RecordType(text)
  }

  fileprivate var wire: WireSubscription.OneOf_Kind {
    switch self {
    case .query(let type, let predicate, let zone):
      .query(
        .with {
          $0.type = type.text
          $0.predicate = predicate.text
          $0.arguments = predicate.arguments.map(\.wire)
          if let zone { $0.zone = zone.wire }
        })
    case .zone(let zone, let type):
      .zone(
        .with {
          $0.zone = zone.wire
          $0.type = type?.text ?? ""
        })
    case .database(let type): .all(.with { $0.type = type?.text ?? "" })
    }
  }
}

extension NotificationForm {
  fileprivate init(_ wire: WireNotificationContent) throws(RecordsError) {
    self.init()
    title = wire.hasTitle ? wire.title : nil
    body = wire.hasBody ? wire.body : nil
    raisesBadge = wire.raisesBadge
    sound = wire.hasSound ? wire.sound : nil
    category = wire.hasCategory ? wire.category : nil
    desiredKeys = try FieldKey.list(wire.desiredKeys)
    isContentAvailable = wire.isContentAvailable
    collapseKey = wire.hasCollapseKey ? wire.collapseKey : nil
  }

  fileprivate var wire: WireNotificationContent {
    .with {
      if let title { $0.title = title }
      if let body { $0.body = body }
      $0.raisesBadge = raisesBadge
      if let sound { $0.sound = sound }
      if let category { $0.category = category }
      $0.desiredKeys = desiredKeys.map(\.text)
      $0.isContentAvailable = isContentAvailable
      if let collapseKey { $0.collapseKey = collapseKey }
    }
  }
}

extension SubscriptionState {
  static func list(_ states: [WireSubscriptionState]) throws(RecordsError) -> [Self] {
    var result: [Self] = []
    for state in states { result.append(try Self(state)) }
    return result
  }

  /// Decodes a subscription's state. A subscription of an unknown kind is decoded with a failure:
  /// it still exists, and it must not prevent the rest of the page from being decoded.
  private init(_ state: WireSubscriptionState) throws(RecordsError) {
    let id = SubscriptionID(stored: state.id)
    do throws(RecordsError) {
      self.init(
        id: id, form: state.hasSubscription ? try SubscriptionForm(state.subscription) : nil,
        failure: state.hasFailure ? RecordsError(state.failure) : nil)
    } catch {
      guard error.code == .incompatibleVersion else { throw error }
      self.init(id: id, form: nil, failure: error)
    }
  }

  var wire: WireSubscriptionState {
    .with {
      $0.id = id.text
      if let form { $0.subscription = form.wire }
      if let failure { $0.failure = failure.wire }
    }
  }
}
