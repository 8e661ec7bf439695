// The subscribers of each predicate. A single subscriber is stored in the block's header. Several are a
// list in one run of memory: count, capacity, entries. So visiting a thousand subscribers reads
// consecutive memory.

import Records

/// The subscribers of all predicates in an index.
struct SubscriberLists: ~Copyable {
  private var subscribers = Slab<Subscriber>()
  private var lists = Slab<UInt32>()
  private var freeNumbers: [UInt32] = []

  /// The values before the entries of a list: count and capacity.
  private static let headCount = 2

  init() {}

  /// The number of subscriptions.
  var count: Int { subscribers.count - freeNumbers.count }

  /// The memory in use, in bytes.
  var byteCount: Int {
    subscribers.byteCount + lists.byteCount + freeNumbers.capacity * 4
  }

  /// The subscriber with a number; `nil` if it is not in the index.
  subscript(number: SubscriptionNumber) -> Subscriber? {
    guard Int(number.value) < subscribers.count else { return nil }
    let subscriber = subscribers[Int(number.value)]
    return subscriber.block == 0 ? nil : subscriber
  }

  /// Adds a subscriber to a block and returns its number.
  mutating func add(
    to block: UInt32, _ header: UnsafeMutablePointer<BlockHeader>, partition: Int,
    _ options: FiringOptions
  ) -> UInt32 {
    let number = freeNumbers.popLast() ?? UInt32(subscribers.count)
    let entry = SubscriberEntry(number: number, options: options)
    var position: UInt32 = 0
    if header.pointee.flags & BlockHeader.hasAny == 0 {
      header.pointee.flags |= BlockHeader.hasAny
      header.pointee.subscriber = entry.bits
    } else {
      position = append(entry, header)
    }
    header.pointee.options |= entry.options
    let subscriber = Subscriber(block: block, position: position, partition: UInt32(partition))
    if Int(number) == subscribers.count {
      subscribers.append(subscriber)
    } else {
      subscribers[Int(number)] = subscriber
    }
    return number
  }

  /// Removes a subscriber from its block. The block's options remain the union of the options of all
  /// subscribers that it ever had. Callers of `visit` therefore check the options of each entry.
  mutating func remove(_ number: SubscriptionNumber, _ header: UnsafeMutablePointer<BlockHeader>) {
    let position = Int(subscribers[Int(number.value)].position)
    subscribers.base[Int(number.value)].block = 0
    freeNumbers.append(number.value)
    guard header.pointee.flags & BlockHeader.hasList != 0 else {
      header.pointee.flags &= ~BlockHeader.hasAny
      return
    }
    let list = Int(header.pointee.subscriber)
    let last = Int(lists[list]) - 1
    let entries = list + Self.headCount
    lists[entries + position] = lists[entries + last]
    let moved = SubscriberEntry(packed: lists[entries + last]).number
    if last != position { subscribers.base[Int(moved)].position = UInt32(position) }
    lists[list] = UInt32(last)
    guard last == 0 else { return }
    lists.release(list, Int(lists[list + 1]) + Self.headCount)
    header.pointee.flags &= ~(BlockHeader.hasAny | BlockHeader.hasList)
  }

  /// Calls `body` with each subscriber of a block.
  @inline(__always)
  func visit(
    _ header: UnsafeMutablePointer<BlockHeader>, _ body: (SubscriberEntry) -> Void
  ) {
    guard header.pointee.flags & BlockHeader.hasList != 0 else {
      if header.pointee.flags & BlockHeader.hasAny != 0 {
        body(SubscriberEntry(packed: header.pointee.subscriber))
      }
      return
    }
    let list = lists.base + Int(header.pointee.subscriber)
    for index in Self.headCount..<Self.headCount + Int(list[0]) {
      body(SubscriberEntry(packed: list[index]))
    }
  }

  /// Adds to the list of a block that has a subscriber already. Returns the position in the list.
  private mutating func append(
    _ entry: SubscriberEntry, _ header: UnsafeMutablePointer<BlockHeader>
  ) -> UInt32 {
    if header.pointee.flags & BlockHeader.hasList == 0 {
      let list = lists.allocate(Self.headCount + 2)
      lists[list] = 1
      lists[list + 1] = 2
      lists[list + Self.headCount] = header.pointee.subscriber
      header.pointee.subscriber = UInt32(list)
      header.pointee.flags |= BlockHeader.hasList
    }
    var list = Int(header.pointee.subscriber)
    let count = Int(lists[list])
    let capacity = Int(lists[list + 1])
    if count == capacity {
      let larger = lists.allocate(Self.headCount + capacity * 2)
      (lists.base + larger).update(from: lists.base + list, count: Self.headCount + count)
      lists.release(list, Self.headCount + capacity)
      lists[larger + 1] = UInt32(capacity * 2)
      header.pointee.subscriber = UInt32(larger)
      list = larger
    }
    lists[list + Self.headCount + count] = entry.bits
    lists[list] = UInt32(count + 1)
    return UInt32(count)
  }
}
