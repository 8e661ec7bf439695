// What a replica asks of its driver. The replica owns no socket, clock or task; a driver that does
// everything in a returned list, in order, is a complete device.

import Records
import SyncCore

/// Something for the driver to do, in the order given, after what caused it is durable.
package enum SyncAction: Hashable, Sendable {
  /// Open a connection to the broker; answer with `connected` or `disconnected`.
  case connect
  /// Send this message; `id` is the correlation number that its answer carries as `replyTo`.
  case send(id: UInt64, ClientMessage)
  /// Close the connection and forget what was to be sent on it; no `disconnected` is expected.
  case disconnect
  /// Call `fired` with this timer after so many milliseconds; replaces the timer's earlier wait.
  case wait(SyncTimer, milliseconds: Int)
  /// These events are in the log; wake whoever watches.
  case appended([LocalEvent])
  /// The device stands otherwise to its broker than before.
  case phaseChanged(Phase)
  /// The wait that `synchronize(id)` began is over: the device had sent everything and has read
  /// everything that was committed before.
  case synchronized(id: UInt64)
  /// The question `ask(_:id:)` began is over; `isWhole` unless something the broker may have is
  /// missing here.
  case answered(id: UInt64, isWhole: Bool)
  /// The order `give(_:id:)` gave was carried out, or not.
  case ordered(id: UInt64, OrderAnswer)
  /// The directory told of devices or groups: what is called how may have changed.
  case directoryChanged
  /// Read a piece of this file and send it as an `assetPiece` under the correlation number; or call
  /// `unreadable`.
  case sendAsset(id: UInt64, Asset, offset: Int, byteCount: Int)
  /// Call `reached` with how much of this file an earlier attempt has left; or `arrived`, when that
  /// is all of it; or `failed`.
  case openAsset(Asset)
  /// Append the piece to what there is of this file and call `reached`, or, when it is whole, has
  /// been compared with its digest and is durable, `arrived`; or `failed`.
  case keepAssetPiece(Asset, AssetPiece)
  /// The broker does not have this file: nobody need wait for it.
  case assetLost(AssetDigest, RecordsError)
  /// Subscriptions told so many things more, for whoever watches to read; what they tell of is here,
  /// as far as it will be.
  case notified(count: Int)
  /// A group of somebody else's is gone: call `erase` until it is done, and collect files.
  case erase
  /// A reading of the public database begins.
  case publicReadingBegan
  /// The reading ended.
  case publicReadingEnded(PublicReading.Ending)
  /// Something the operator should read once in the log; nothing personal in it.
  case report(String)
}
