// A request of a program that has given an app password.

import CardDAV
import CardDAVStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A request of a CardDAV client.
struct CardDAVRequest: Sendable {
  /// How many levels of resources a request is about.
  enum Depth: Hashable, Sendable {
    case zero, one, infinity
  }

  /// The request.
  let request: Request
  /// What its address names.
  let path: DAVPath
  /// The password that it has given.
  let password: AppPasswordView

  /// The method.
  var method: String { request.method.rawValue }

  /// Returns the value of a header.
  subscript(header: String) -> String? {
    HTTPField.Name(header).flatMap { request.headers[$0] }
  }

  /// The header `Depth`; `nil` if it is missing.
  /// - Throws: 400 if it is something else.
  func depth() throws(DAVError) -> Depth? {
    switch self["Depth"]?.lowercased() {
    case nil: nil
    case "0": .zero
    case "1": .one
    case "infinity": .infinity
    default: throw DAVError(.badRequest, "The header Depth must be 0, 1 or infinity.")
    }
  }

  /// Whether the client does without properties that do not exist (RFC 8144).
  var isMinimal: Bool {
    self["Prefer"]?.lowercased().contains("return=minimal") ?? false
      || self["Brief"]?.lowercased() == "t"
  }

  /// The header fields with conditions.
  func preconditions() throws(DAVError) -> Preconditions {
    try Preconditions(match: self["If-Match"], noneMatch: self["If-None-Match"])
  }

  /// The size of the body that may be read: as announced, or else the limit of the method.
  var bodyBytes: Int {
    let limit = method == "PUT" ? CollectionProperties.cardBytesMaximum : XMLLimits.documentBytes
    let announced = request.headers[.contentLength].flatMap { Int($0) }
    let isChunked = request.headers[.transferEncoding] != nil
    return max(0, min(announced ?? (isChunked ? limit : 0), limit))
  }

  /// Returns the XML document of the request; empty if it has none.
  func document() async throws -> [UInt8] {
    try await body(limit: XMLLimits.documentBytes) { .tooLarge("The XML document") }
  }

  /// Reads the XML document of the request.
  func document<Content: Sendable>(
    _ read: @Sendable ([UInt8]) throws(DAVError) -> Content
  ) async throws -> Content {
    let document = try await document()
    return try await LoopExecutor.reading(document.count) { () throws(DAVError) in
      try read(document)
    }
  }

  /// Returns the body.
  /// - Parameter tooLarge: The error if it has more than `limit` bytes.
  func body(limit: Int, tooLarge: () -> DAVError) async throws -> [UInt8] {
    let length = request.headers[.contentLength].flatMap { Int($0) }
    guard length ?? 0 <= limit else { throw tooLarge() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length ?? 0)
    for try await part in request.body {
      guard bytes.count + part.readableBytes <= limit else { throw tooLarge() }
      bytes += part.readableBytesView
    }
    // A client that hangs up in the middle of a card must not leave half of it.
    guard length.map({ $0 == bytes.count }) ?? true else {
      throw DAVError(.badRequest, "The body ends before its length.")
    }
    return bytes
  }
}
