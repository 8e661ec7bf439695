// A limit for work that runs at the same time. Swift's standard library has no semaphore for tasks.

import DequeModule
import Synchronization

/// Lets a limited number of tasks pass at a time, in order of arrival.
final class Turnstile: Sendable {
  private struct State {
    var freePlaces: Int
    var waiting: Deque<CheckedContinuation<Void, Never>> = []
  }

  private let state: Mutex<State>

  /// Creates a turnstile with a number of places.
  init(places: Int) { state = Mutex(State(freePlaces: places)) }

  /// Takes a place, and waits until one is free. Cancellation does not end the wait: the caller checks for
  /// it when it has a place.
  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.freePlaces > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.freePlaces -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Returns a place; the first task that waits gets it.
  func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.freePlaces += 1 }
      return next
    }
    next?.resume()
  }
}
