// The rule for the photos that a device fetches without being asked, and keeps: those up to a size, of posts up
// to an age. The rule concerns copies. The broker has every photo; this account's own photos stay, because the
// broker may need them to replace a lost file.

import DeviceStore
import GRDB
import Records
import SQLiteFile
import Timeline

/// The rule of a device.
package struct PhotoRule: Hashable, Sendable {
  /// The largest photo that is fetched by itself, in words that people choose from; the first is the
  /// default.
  package static let sizes = ["all", "none", "64KiB", "512KiB", "2MiB", "8MiB"]
  /// The age up to which posts' photos are kept; the first is the default.
  package static let ages = ["always", "day", "week", "month", "year"]
  /// The setting that holds the size.
  package static let sizeSetting = "photo-size"
  /// The setting that holds the age.
  package static let ageSetting = "photo-age"

  /// The settings that make up the rule.
  static let settings: Set<String> = [sizeSetting, ageSetting]

  /// The largest photo, in bytes; `nil` for any.
  package var bytesMaximum: Int?
  /// The greatest age, in seconds; `nil` for any.
  package var ageSecondsMaximum: Int64?

  /// The rule of these words; unknown ones count as the default.
  package init(size: String?, age: String?) {
    bytesMaximum =
      switch size {
      case "none": 0
      case "64KiB": 64 << 10
      case "512KiB": 512 << 10
      case "2MiB": 2 << 20
      case "8MiB": 8 << 20
      default: nil
      }
    ageSecondsMaximum =
      switch age {
      case "day": 86_400
      case "week": 7 * 86_400
      case "month": 31 * 86_400
      case "year": 366 * 86_400
      default: nil
      }
  }

  static func load(_ db: Database) throws -> PhotoRule {
    PhotoRule(
      size: try DeviceReader.setting(sizeSetting, db), age: try DeviceReader.setting(ageSetting, db)
    )
  }

  /// Whether the photo of a post is kept here at a moment.
  package func wants(_ post: Post, at now: Timestamp) -> Bool {
    if let bytesMaximum, post.photo.byteCount > bytesMaximum { return false }
    guard let ageSecondsMaximum else { return true }
    return post.timestamp.adding(seconds: ageSecondsMaximum) >= now
  }

  /// Wants the photos that the rule keeps and that are not here, and no longer those that it leaves out
  /// and nobody asked for. Looks at all posts.
  func renewWants(at now: Timestamp, _ db: Database) throws {
    let kept: StatementArguments = [
      bytesMaximum ?? .max, oldest(at: now)?.microseconds ?? .min,
    ]
    try db.run(
      """
      DELETE FROM asset_wanted WHERE asked = 0 AND owner = x'\(AccountID.public)'
        AND digest NOT IN (SELECT digest FROM post WHERE size <= ? AND time >= ?)
      """, kept)
    try db.run(
      """
      INSERT OR IGNORE INTO asset_wanted (digest, owner, zone_name, size, asked)
      SELECT digest, x'\(AccountID.public)', zeroblob(16), size, 0 FROM post
      WHERE size <= ? AND time >= ?
        AND NOT EXISTS (SELECT 1 FROM asset WHERE asset.digest = post.digest)
      """, kept)
  }

  /// Posts older than this are not kept; `nil` for none.
  func oldest(at now: Timestamp) -> Timestamp? {
    ageSecondsMaximum.map { now.adding(seconds: -$0) }
  }
}
