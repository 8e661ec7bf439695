import Foundation

/// Runs `body` on a thread of its own, because it waits without giving up its thread.
package func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: .init(catching: body)) }
  }
}
