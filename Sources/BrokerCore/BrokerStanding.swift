// How the broker stands, in numbers, for whoever watches it. Counted when asked for: nothing is kept
// up to date on the way of a change.

import Records

/// The broker at one moment.
package struct BrokerStanding: Hashable, Sendable {
  /// Open connections.
  package var connections = 0
  /// Those of them that are signed in.
  package var signedIn = 0
  /// Zones that somebody follows.
  package var zonesFollowed = 0
  /// Bytes of requests that wait to be written.
  package var queuedBytes = 0
  /// Bytes of changes kept for those who fell behind a little.
  package var tailBytes = 0
  /// The revisions that each device which is behind lacks, summed over its zones.
  package var lags: [DeviceID: Int64] = [:]
}

extension Broker {
  /// How it stands now. Costs a look at every connection and follower.
  package var standing: BrokerStanding {
    var standing = BrokerStanding()
    standing.connections = sessions.count
    standing.signedIn = sessions.values.count { $0.identity != nil }
    standing.zonesFollowed = feeds.count
    standing.queuedBytes = queue.byteCount
    standing.tailBytes = tailsBytes
    for feed in feeds.values {
      for (connection, lag) in feed.lags {
        guard let device = sessions[connection]?.identity?.device else { continue }
        standing.lags[device, default: 0] += lag
      }
    }
    return standing
  }
}
