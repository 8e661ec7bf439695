import AssetFiles
import BrokerStore

/// A place where a broker's store can be. No broker may use it during a copy.
protocol CopyPlace: AnyObject {
  /// The place in sentences, without a password.
  var name: String { get }
  /// The name of the sealed store in sentences.
  var sealedName: String { get }
  /// The name of a copy that is not finished, in sentences.
  var copyName: String { get }

  /// Whether the place has a store that is not sealed. It may be empty.
  func hasStore() throws -> Bool
  /// Whether the place has a sealed store.
  func hasSealedStore() throws -> Bool
  /// Opens the store, and migrates it to this version.
  func openStore() throws -> any CopyDatabase
  /// Opens the sealed store, which exists.
  func openSealedStore() throws -> any CopyDatabase
  /// Opens the asset files of the store.
  func storeFiles() throws -> any CompleteFiles

  /// Opens a copy that is not finished; returns `nil` if there is none. Its triggers are switched off.
  func openCopy() throws -> (any CopyDatabase)?
  /// Begins a copy of the store with this digest. It has the tables of a new store, without rows and without triggers.
  func beginCopy(of digest: String) throws -> any CopyDatabase
  /// Opens the asset files of the copy, which exists.
  func copyFiles() throws -> any CompleteFiles
  /// Makes the names of the copy's asset files durable. Each file's content is durable already.
  func confirmFiles() throws
  /// Deletes a copy that is not finished, if there is one.
  /// - Throws: `foreign` if what has its name is not a copy.
  func discardCopy() throws
  /// Switches the copy's triggers on, closes it, and makes it the store of this place. An empty store is replaced.
  func publish(_ copy: any CopyDatabase) throws
  /// Makes the name of a published copy durable, because the program that published it may have been killed.
  func confirmName() throws

  /// Renames the store, which must be closed, so that no broker serves from it.
  func seal() throws
}
