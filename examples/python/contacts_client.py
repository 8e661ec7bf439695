#!/usr/bin/env python3
"""A client of contacts-broker in Python: saves a record, queries it, receives a notification.

records_pb2 is generated from records.proto (see README.md); the rest is the standard library.
docs/protocol.md defines the messages and their order.
"""

import os
import socket
import struct
import sys

import records_pb2 as wire


class Broker:
    """A connection. A frame is its length in four bytes, most significant first, then protobuf."""

    def __init__(self, path, account, device):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.last_id = 0
        self.pending = []  # frames that arrived before the answer to a request
        hello = wire.Hello(
            version=1,
            container="python-example",
            account_name=account,
            device_name=device,
            device_key=os.urandom(32),  # a real program stores it with welcome.device
        )
        welcome = self.ask(hello=hello).welcome
        self.number = welcome.last_number

    def send(self, **message):
        self.last_id += 1
        payload = wire.ClientFrame(id=self.last_id, **message).SerializeToString()
        self.socket.sendall(struct.pack(">I", len(payload)) + payload)
        return self.last_id

    def receive(self):
        (length,) = struct.unpack(">I", self.receive_bytes(4))
        frame = wire.BrokerFrame.FromString(self.receive_bytes(length))
        if frame.WhichOneof("message") == "goodbye":
            raise ConnectionError(frame.goodbye.message)
        return frame

    def receive_bytes(self, count):
        content = b""
        while len(content) < count:
            chunk = self.socket.recv(count - len(content))
            if not chunk:
                raise ConnectionError("The broker closed the connection.")
            content += chunk
        return content

    def ask(self, **message):
        """Sends a message, waits for its answer and returns it."""
        number = self.send(**message)
        while True:
            frame = self.receive()
            if frame.reply_to != number:
                self.pending.append(frame)
            elif frame.WhichOneof("message") == "error":
                raise ValueError(f"{frame.error.code}: {frame.error.message}")
            else:
                return frame

    def save(self, name, type, texts, tag=None):
        """Saves a record with text fields and returns its change tag. Without tag, creates it."""
        # Fields are sorted by key and sent as the encoded bytes of a Record.
        fields = wire.Record(
            fields=[
                wire.Field(key=key, value=wire.Value(string=text))
                for key, text in sorted(texts.items())
            ]
        ).SerializeToString()
        save = wire.Save(name=name, type=type, tag=tag, fields=fields)
        group = wire.Group(zone=wire.ZoneID(), operations=[wire.Operation(save=save)])
        # Requests are numbered without gaps. A real program stores a request until its outcome.
        self.number += 1
        modify = wire.Modify(
            number=self.number, acknowledged=self.number - 1, groups=[group]
        )
        result = self.ask(modify=modify).outcome.groups[0].results[0]
        if result.WhichOneof("result") == "failed":
            raise ValueError(result.failed.error.message)
        return result.saved.tag

    def query(self, type, predicate, *arguments):
        """Yields the name and texts of each record of a type that matches a predicate."""
        values = [wire.Value(string=text) for text in arguments]
        query = wire.Query(type=type, predicate=predicate, arguments=values)
        while True:
            page = self.ask(query=query).query_page
            for found in page.records:
                yield found.change.name, texts_of(found.change.record)
            if not page.HasField("cursor"):
                return
            query.cursor = page.cursor

    def notifications(self, position=0):
        """Yields each notification, and acknowledges it when the caller asks for the next one."""
        self.send(follow_notifications=wire.FollowNotifications(position=position))
        while True:
            frame = self.pending.pop(0) if self.pending else self.receive()
            for notification in frame.notifications.notifications:
                yield notification
                through = wire.AcknowledgeNotifications(through=notification.number)
                self.send(acknowledge_notifications=through)


def texts_of(record):
    return {field.key: field.value.string for field in wire.Record.FromString(record).fields}


def main(path):
    phone = Broker(path, account="ada", device="phone")
    content = wire.NotificationContent(title="{name} has moved to {city}", desired_keys=["city"])
    subscription = wire.Subscription(
        id="in-lund",
        query=wire.QuerySubscription(
            type="Person", predicate="city == %@", arguments=[wire.Value(string="Lund")]
        ),
        fires_on_creation=True,
        fires_on_update=True,
        notification=content,
    )
    phone.ask(save_subscription=wire.SaveSubscription(subscription=subscription))

    laptop = Broker(path, account="ada", device="laptop")
    tag = laptop.save("nia", "Person", {"name": "Nia", "city": "Umeå"})
    print("saved with tag", tag)
    for name, texts in laptop.query("Person", "city == %@", "Umeå"):
        print("found", name, texts["city"])
    laptop.save("nia", "Person", {"city": "Lund"}, tag)

    for notification in phone.notifications():
        for firing in notification.firings:
            reason = wire.FiringReason.Name(firing.reason)
            print("notified", reason, firing.title, texts_of(firing.fields))
        break


if __name__ == "__main__":
    main(sys.argv[1])
