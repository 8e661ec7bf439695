// Messages as a client that does not know moves sends and reads them, without move ids.

import Records

extension ClientMessage {
  /// The message without move ids.
  package var withoutMoves: ClientMessage {
    guard case .modify(let request) = self else { return self }
    let groups = request.groups.map { group in
      OperationGroup(
        zone: group.zone,
        operations: group.operations.map { operation in
          guard case .delete(let delete) = operation else { return operation }
          return .delete(
            Operation.Delete(name: delete.name, tag: delete.tag, isForced: delete.isForced))
        })
    }
    return .modify(
      ModifyRequest(
        number: request.number, acknowledged: request.acknowledged, groups: groups))
  }
}

extension BrokerMessage {
  /// The message without move ids.
  package var withoutMoves: BrokerMessage {
    guard case .changes(let frame) = self else { return self }
    return .changes(
      ZoneChanges(
        zone: frame.zone, incarnation: frame.incarnation, from: frame.from, to: frame.to,
        scanStart: frame.scanStart, changes: frame.changes.map(\.withoutMove)))
  }
}

extension Change {
  fileprivate var withoutMove: Change {
    Change(
      name: name, tag: tag, kind: kind, type: type, created: created, modified: modified,
      record: record)
  }
}
