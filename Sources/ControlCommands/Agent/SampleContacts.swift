// The ten contacts that a new account begins with, as far as they are still in the address book and unchanged.
// The agent finds a contact by its record name too, and the record names of the samples are fixed.

import AgentAPI
import Contacts
import Records

/// The sample contacts that the user has not changed.
struct SampleContacts: Sendable {
  /// The untouched contacts, each with its version.
  let contacts: [ContactItem]

  /// Fetches the samples, with one request for each.
  init(_ agent: AgentClient) async throws(ControlFailure) {
    let samples: [(name: RecordName, fields: Fields)]
    do throws(RecordsError) {
      samples = try BundledContacts.all()
    } catch {
      throw .error(error.code, error.message, hint: error.hint)
    }
    var contacts: [ContactItem] = []
    for sample in samples {
      let contact = ContactRecord.contact(named: sample.name, fields: sample.fields)
      guard let item = try await Self.item(sample.name.text, agent),
        Self.isUntouched(item, sample: contact)
      else { continue }
      contacts.append(item)
    }
    self.contacts = contacts
  }

  /// Deletes them as one action, each only if it has not changed since it was fetched.
  /// - Returns: The number of deleted contacts, and the action for undo.
  func delete(_ agent: AgentClient) async throws(ControlFailure) -> (count: Int, action: String?) {
    var action: String?
    var count = 0
    for contact in contacts {
      do throws(ControlFailure) {
        let reply = try await agent.deleteContact(
          contact.id, in: action, ifMatch: "\"\(contact.version)\"")
        action = action ?? reply.action
        count += 1
      } catch {
        let isChanged = [RecordsError.Code.serverRecordChanged, .unknownItem].contains {
          $0.rawValue == error.code
        }
        guard isChanged else { throw error }
      }
    }
    return (count, action)
  }

  /// Whether `item` has the content of `sample` and nothing else.
  static func isUntouched(_ item: ContactItem, sample: Contact) -> Bool {
    var expected = ContactItem()
    expected.firstName = sample.firstName
    expected.lastName = sample.lastName
    expected.company = sample.company
    // What the agent derives or maintains.
    expected.id = item.id
    expected.name = item.name
    expected.sortName = item.sortName
    expected.sectionKey = item.sectionKey
    expected.sortIndex = item.sortIndex
    expected.group = item.group
    expected.created = item.created
    expected.modified = item.modified
    expected.modifiedBy = item.modifiedBy
    expected.synced = item.synced
    expected.version = item.version
    // The entries are compared one by one.
    expected.phones = item.phones
    expected.emails = item.emails
    return item == expected && isSame(item.phones, sample.phones)
      && isSame(item.emails, sample.emails)
  }

  private static func isSame(_ items: [LabeledItem], _ entries: [LabeledValue]) -> Bool {
    items.count == entries.count
      && zip(items, entries).allSatisfy { item, entry in
        item.label == entry.label && item.value == entry.value && item.kinds.isEmpty
          && item.preference == nil && item.parameters.isEmpty
      }
  }

  /// Returns the contact; `nil` if it was deleted, or if copies of it make the name ambiguous.
  private static func item(
    _ name: String, _ agent: AgentClient
  ) async throws(ControlFailure) -> ContactItem? {
    do throws(ControlFailure) {
      return try await agent.get(.contact(name)).decoded(as: SingleView<ContactItem>.self).item
    } catch {
      let isAbsent = [RecordsError.Code.unknownItem, .invalidArguments].contains {
        $0.rawValue == error.code
      }
      guard isAbsent else { throw error }
      return nil
    }
  }
}
