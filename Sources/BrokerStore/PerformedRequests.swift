import BrokerCore

/// The requests that were gathered for a transaction, and what became of them.
package struct PerformedRequests {
  /// All gathered requests, in the order in which they were carried out.
  package let requests: [StorageRequest]
  /// The results of the first requests, and before those of each transaction what other brokers committed before it.
  package let results: [StorageResult]
  /// The index of the request that used most of the transaction, if that was a fifth or more of its limits; otherwise
  /// the index of the last one, if all together reached the limits.
  package let mostExpensive: Int?

  /// The requests without a result. They did not fit, and must begin the next transaction.
  package var left: ArraySlice<StorageRequest> {
    requests.dropFirst(results.count(where: \.isAnswer))
  }
}
