// What a replica asks of its driver. The replica owns no socket, clock or task. A driver that performs
// all actions of a returned list, in order, is a complete device.

import Records
import SyncCore

/// An action of the driver. Actions are returned once their cause is durable, and performed in their order.
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
  /// Read or write a file.
  case file(FileAction)
  /// The broker does not have this file: end all waits for it.
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

/// An action of the driver on the disk. It may take long, so the driver performs it apart from the replica,
/// and calls the replica with the result. Results of an earlier connection are discarded, except `arrived`.
package enum FileAction: Hashable, Sendable {
  /// Read a chunk of this file and send it as an `assetPiece` under the correlation number; or call
  /// `unreadable`.
  case send(id: UInt64, Asset, offset: Int, byteCount: Int)
  /// Open this file to continue an earlier download. Call `reached` with its length so far; or `arrived` if it
  /// is complete; or `failed`.
  case open(Asset)
  /// Append the chunk to this file and call `reached`; or `arrived` once the file is complete, verified against
  /// its digest and durable; or `failed`.
  case append(Asset, AssetPiece)
}
