import FoundationEssentials
import Records
import SwiftProtobuf

extension JoinRequest {
  init(_ wire: WireJoin) throws(RecordsError) {
    self.init(
      invitation: try InvitationID(wire: wire.invitation),
      deviceKeyDigest: try digest(wire.keyDigest, of: "a key's digest"),
      proof: try digest(wire.proof, of: "a proof"), isFinal: wire.isFinal)
  }

  var wire: WireJoin {
    .with {
      $0.invitation = invitation.wire
      $0.keyDigest = Data(deviceKeyDigest)
      $0.proof = Data(proof)
      $0.isFinal = isFinal
    }
  }
}

extension Joined {
  init(_ wire: WireJoined) throws(RecordsError) {
    self.init(
      accountName: try validatedTitle(wire.accountName, of: "an account's name"),
      proof: try digest(wire.proof, of: "a proof"))
  }

  var wire: WireJoined {
    .with {
      $0.accountName = accountName
      $0.proof = Data(proof)
    }
  }
}

extension InvitationOffer {
  init(_ wire: WireInvite) throws(RecordsError) {
    guard (1...Self.secondsMaximum).contains(Int64(wire.seconds)) else {
      throw .invalid(
        "An invitation can be used for 1 to \(Self.secondsMaximum) seconds, not \(wire.seconds).",
        field: "seconds")
    }
    self.init(
      id: try InvitationID(wire: wire.id), key: try digest(wire.key, of: "an invitation's key"),
      seconds: Int64(wire.seconds))
  }

  var wire: WireInvite {
    .with {
      $0.id = id.wire
      $0.key = Data(key)
      $0.seconds = UInt32(clamping: seconds)
    }
  }
}

/// Decodes a digest, or another value of the same length.
private func digest(_ bytes: Data, of what: String) throws(RecordsError) -> [UInt8] {
  guard bytes.count == JoinRequest.digestBytes else {
    throw .invalid("\(what) must have \(JoinRequest.digestBytes) bytes, not \(bytes.count).")
  }
  return Array(bytes)
}
