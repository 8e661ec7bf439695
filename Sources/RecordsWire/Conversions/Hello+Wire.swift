// Converts hello and welcome. The welcome contains the limits, so that clients in other languages
// need not hard-code them. The project's own clients use most of them from `Limits`.

import FoundationEssentials
import Records
import SwiftProtobuf

extension Hello {
  init(_ wire: WireHello) throws(RecordsError) {
    guard (1...Limits.nameBytes).contains(wire.container.utf8.count),
      !wire.container.hasControlCharacters
    else {
      throw .invalid(
        "A container's name must have 1 to \(Limits.nameBytes) bytes and no control characters.")
    }
    self.init(
      version: Int(wire.version), container: wire.container,
      accountName: wire.hasAccountName
        ? try validatedTitle(wire.accountName, of: "an account's name") : nil,
      deviceName: try validatedTitle(wire.deviceName, of: "a device's name"),
      device: wire.hasDevice ? try DeviceID(wire: wire.device) : nil,
      deviceKey: try checkedDeviceKey(wire.deviceKey),
      lastNumber: try RequestNumber(wire: wire.lastNumber),
      acknowledged: try RequestNumber(wire: wire.acknowledged),
      directory: try Revision(wire: wire.directory), zones: try ZonePosition.list(wire.zones),
      invocation: wire.invocation == 0 ? nil : wire.invocation,
      formerDevice: wire.hasFormerDevice ? try FormerDevice(wire.formerDevice) : nil)
  }

  var wire: WireHello {
    .with {
      $0.version = UInt32(version)
      $0.container = container
      if let accountName { $0.accountName = accountName }
      $0.deviceName = deviceName
      if let device { $0.device = device.wire }
      $0.deviceKey = Data(deviceKey)
      $0.lastNumber = lastNumber.wire
      $0.acknowledged = acknowledged.wire
      $0.directory = directory.wire
      $0.zones = zones.map(\.wire)
      $0.invocation = invocation ?? 0
      if let formerDevice { $0.formerDevice = formerDevice.wire }
    }
  }
}

extension FormerDevice {
  init(_ wire: WireFormerDevice) throws(RecordsError) {
    self.init(try DeviceID(wire: wire.device), key: try checkedDeviceKey(wire.deviceKey))
  }

  var wire: WireFormerDevice {
    .with {
      $0.device = device.wire
      $0.deviceKey = Data(key)
    }
  }
}

/// Returns the bytes of a device's key. Rejects any other count than 32.
private func checkedDeviceKey(_ bytes: Data) throws(RecordsError) -> [UInt8] {
  let byteCount = 32
  guard bytes.count == byteCount else {
    throw .invalid("A device key must have \(byteCount) bytes; this one has \(bytes.count).")
  }
  return Array(bytes)
}

extension Welcome {
  init(_ wire: WireWelcome) throws(RecordsError) {
    self.init(
      version: Int(wire.version), account: try AccountID(wire: wire.account),
      accountName: try checkedTitle(wire.accountName, of: "an account's name"),
      device: try DeviceID(wire: wire.device),
      lastNumber: try RequestNumber(wire: wire.lastNumber),
      directory: try Revision(wire: wire.directory),
      heartbeatSeconds: min(Int(wire.heartbeatSeconds), Limits.heartbeatSecondsMaximum),
      assetBytes: Int(clamping: wire.limits.assetBytes),
      assetPieceBytes: min(
        max(Int(wire.limits.assetPieceBytes), Limits.assetPieceBytesMinimum),
        Limits.assetPieceBytes),
      assetFetchesInFlight: min(
        max(Int(wire.limits.assetFetchesInFlight), 1), Limits.assetFetchesInFlight),
      rewoundAt: try Revision(wire: wire.rewoundAt))
  }

  var wire: WireWelcome {
    .with {
      $0.version = UInt32(version)
      $0.account = account.wire
      $0.accountName = accountName
      $0.device = device.wire
      $0.lastNumber = lastNumber.wire
      $0.directory = directory.wire
      $0.heartbeatSeconds = UInt32(heartbeatSeconds)
      $0.limits = WireLimits.current
      $0.limits.assetBytes = UInt64(assetBytes)
      $0.limits.assetPieceBytes = UInt32(assetPieceBytes)
      $0.limits.assetFetchesInFlight = UInt32(assetFetchesInFlight)
      $0.rewoundAt = rewoundAt.wire
    }
  }
}

extension WireLimits {
  /// The limits that this program enforces.
  static let current = WireLimits.with {
    $0.nameBytes = UInt32(Limits.nameBytes)
    $0.recordBytes = UInt32(Limits.recordBytes)
    $0.fieldsPerRecord = UInt32(Limits.fieldsPerRecord)
    $0.valuesPerList = UInt32(Limits.valuesPerList)
    $0.operationsPerRequest = UInt32(Limits.operationsPerRequest)
    $0.requestBytes = UInt32(Limits.requestBytes)
    $0.frameBytes = UInt32(Limits.frameBytes)
    $0.idsPerFetch = UInt32(Limits.idsPerFetch)
    $0.zonesPerSession = UInt32(Limits.zonesPerSession)
    $0.requestsInFlight = UInt32(Limits.requestsInFlight)
    $0.titleBytes = UInt32(Limits.titleBytes)
    $0.unacknowledgedOutcomes = UInt32(Limits.unacknowledgedOutcomes)
    $0.assetBytes = UInt64(Limits.assetBytes)
    $0.assetPieceBytes = UInt32(Limits.assetPieceBytes)
    $0.assetUploadsPerSession = UInt32(Limits.assetUploadsPerSession)
    $0.assetFetchesInFlight = UInt32(Limits.assetFetchesInFlight)
    $0.subscriptionsPerAccount = UInt32(Limits.subscriptionsPerAccount)
    $0.subscriptionBytes = UInt32(Limits.subscriptionBytes)
    $0.subscriptionBytesPerAccount = UInt32(Limits.subscriptionBytesPerAccount)
    $0.unacknowledgedNotifications = UInt32(Limits.unacknowledgedNotifications)
    $0.waitingNotifications = UInt32(Limits.waitingNotifications)
    $0.queriesInFlight = UInt32(Limits.queriesInFlight)
    $0.wantedAssetsPerPage = UInt32(Limits.wantedAssetsPerPage)
  }
}
