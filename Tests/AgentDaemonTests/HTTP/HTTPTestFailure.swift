import NIOCore

/// Why no response arrived, or not all of it.
enum HTTPTestFailure: Error, Equatable {
  /// The URL has no IP address or no port.
  case invalidURL(String)
  /// The server closed the connection before the end of the response.
  case closed
  /// The server sent nothing for this time.
  case silent(TimeAmount)
}
