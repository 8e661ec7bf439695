import NIOCore
import NIOHTTP1

/// A response, of which the body is still to be read.
struct HTTPTestResponse: Sendable {
  let status: HTTPResponseStatus
  let headers: HTTPHeaders
  let body: HTTPTestBody
}

/// The body of a response, as it arrives. If the test drops it before its end, the connection closes.
typealias HTTPTestBody = NIOThrowingAsyncSequenceProducer<
  ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark,
  HTTPTestHandler.Demand
>
