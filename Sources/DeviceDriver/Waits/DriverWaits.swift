// The waits of callers, and the questions and requests to the broker for whose answers they wait. A wait always
// ends: with its answer, at its deadline, or when the driver stops.

import DeviceStore
import Records
import SyncCore

/// The callers that wait for the broker, by what they wait for.
struct DriverWaits {
  /// Waits until the device and the broker agree.
  var synchronizations = AnswerWaits<Void>(limit: 256)
  /// Waits for answers about the past and for the reading of the public database: whether they are complete. A
  /// caller may ask about all its groups at once.
  var questions = AnswerWaits<Bool>(limit: 1024)
  /// Waits for the answers to requests that are not stored.
  var requests = AnswerWaits<OrderAnswer>(limit: 256)
  /// Waits for files.
  var files = FileWaits(limit: 1024)

  /// Ends all waits. Their callers continue as if their time were over.
  mutating func endAll() {
    synchronizations.endAll()
    questions.endAll()
    requests.endAll()
    files.endAll()
  }
}

// MARK: Synchronization

extension ReplicaDriver {
  /// Waits until the broker has all edits of this device, except the deletions that the guard holds, and this device
  /// has all changes that the broker had at the call.
  /// - Returns: whether that was reached within `waitSeconds`.
  /// - Throws: `StoreError`; `requestRateLimited` if too many callers wait.
  package nonisolated func synchronize(waitSeconds: Double) async throws -> Bool {
    let wait = try await beginSynchronize()
    let isDone: Void? = await Deadline(seconds: waitSeconds).first(of: wait.answers)
    await endSynchronize(wait.id)
    return isDone != nil
  }

  private func beginSynchronize() throws -> AnswerWaits<Void>.Wait {
    let wait = try waits.synchronizations.begin()
    do {
      perform(try replica.synchronize(id: wait.id, now: environment.now()))
    } catch {
      waits.synchronizations.end(wait.id)
      throw error
    }
    return wait
  }

  private func endSynchronize(_ id: UInt64) {
    waits.synchronizations.end(id)
    replica.forgetSynchronize(id: id)
  }
}

// MARK: Questions

extension ReplicaDriver {
  /// Asks the broker about earlier versions or deleted records, and waits until its answer is stored here.
  /// - Returns: whether the store has everything that the broker has; `false` after `waitSeconds`, without a
  ///   connection, or if too many callers wait.
  package nonisolated func ask(_ question: PastQuestion, waitSeconds: Double) async -> Bool {
    guard isConnected, let wait = try? await begin(question) else { return false }
    let isWhole = await Deadline(seconds: waitSeconds).first(of: wait.answers)
    await end(question: wait.id)
    return isWhole ?? false
  }

  /// Whether the broker has accepted the device on the present connection.
  nonisolated var isConnected: Bool { phase == .live || phase == .catchingUp }

  private func begin(_ question: PastQuestion) throws -> AnswerWaits<Bool>.Wait {
    let wait = try waits.questions.begin()
    perform(replica.ask(question, id: wait.id))
    return wait
  }

  private func end(question id: UInt64) {
    waits.questions.end(id)
  }
}

// MARK: Requests

extension ReplicaDriver {
  /// How many seconds a request waits for its answer unless its caller sets another limit.
  package static let requestSeconds = 10.0

  /// Sends a request that is not stored, such as one about accounts, devices or shares, and waits for its answer.
  /// - Throws: the broker's error if it rejects the request; `serviceUnavailable` without a connection, or if no
  ///   answer arrives within `waitSeconds`; `requestRateLimited` if too many callers wait.
  package nonisolated func request(
    _ order: BrokerOrder, waitSeconds: Double = requestSeconds
  ) async throws -> OrderAnswer {
    guard isConnected else { throw disconnectedError }
    let wait = try await begin(order)
    let answer = await Deadline(seconds: waitSeconds).first(of: wait.answers)
    await end(request: wait.id)
    switch answer {
    case .refused(let error): throw error
    case .some(let answer): return answer
    case nil:
      throw RecordsError(
        .serviceUnavailable, "The broker did not answer within \(Int(waitSeconds)) s.",
        hint: "Try again. A repeated request takes effect only once.")
    }
  }

  /// Why no request can be sent now.
  private nonisolated var disconnectedError: RecordsError {
    let phase = phase
    if case .refused(let error) = phase { return error }
    let command = environment.hooks.statusCommand
    if let failure = storeFailure {
      return RecordsError(
        failure.kind == .full ? .quotaExceeded : .serviceUnavailable, failure.statusSentence,
        hint: command.map { "To check whether this is solved: \($0)" }
          ?? "Try again once this is solved.")
    }
    return RecordsError(
      .serviceUnavailable,
      responsiveness.sentence(at: environment.now())
        ?? "The broker cannot be reached now; this device is \(phase).",
      hint: responsiveness.hint(
        whenLive: "Try again when \(command ?? "the status of the device") says live."))
  }

  private func begin(_ order: BrokerOrder) throws -> AnswerWaits<OrderAnswer>.Wait {
    let wait = try waits.requests.begin()
    perform(replica.give(order, id: wait.id))
    return wait
  }

  private func end(request id: UInt64) {
    waits.requests.end(id)
    replica.forget(order: id)
  }
}
