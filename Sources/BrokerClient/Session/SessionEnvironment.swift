import BrokerLinks
import NIOCore

/// What a session is given: how it connects, and as whom.
struct SessionEnvironment: Sendable {
  let connector: any BrokerConnector
  let loop: any EventLoop
  let helloTemplate: HelloTemplate
  let sharedIdentity: SharedIdentity
  /// The time that a call waits for its answer.
  let timeout: TimeAmount
  /// The network of the container's sessions; `nil` if it does not matter.
  var network: SessionNetwork?
}
