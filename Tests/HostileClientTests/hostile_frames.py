"""Frames of a program that means harm, for the broker's socket: an independent client that knows the protocol only from
records.proto. A frame is a message with random fields, a real one, or either of them changed; all come from a seed."""

import os
import random
import socket
import struct
import subprocess
import sys

SCHEMA = os.path.join(os.path.dirname(__file__), "../../Sources/RecordsWire")
NUMBERS = [0, 1, 2, 3, 7, 16, 255, 1000, 2**31 - 1, 2**31, 2**32, 2**53, 2**62, 2**62 + 1, 2**63 - 1, -1, -2**31, -2**63]
TEXTS = ["", "a", "b", "Contact", "Note", "Conflict", "contacts", "lastName", "moveIDs", "\u0000", "\u202e", "\U0001f600", "x" * 300,
         "TRUEPREDICATE", "lastName BEGINSWITH 'a'", "(" * 400 + "a" + ")" * 400, "a == %@", "%", "NOT NOT a > 1", "é" * 1_000]
QUIET_SECONDS = 0.5
# The frames of one connection, and those that are sent before answers are read.
FRAMES, BATCH = 200, 20
# These tell the broker that the client leaves, or take its account away.
LEFT_OUT = {"hello", "join", "administer"}


def protocol(folder):
    """The messages of the protocol, generated into a folder."""
    subprocess.run(["protoc", f"--proto_path={SCHEMA}", f"--python_out={folder}", "records.proto"], check=True)
    sys.path.insert(0, folder)
    import records_pb2
    return records_pb2


class Connection:
    """A connection that has signed in. A frame is its length in four bytes, most significant first, then protobuf."""

    def __init__(self, wire, path, account, key, device=None):
        self.wire, self.last_id = wire, 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        hello = wire.Hello(version=1, container="contacts", account_name=account, device_name="frames", device_key=key)
        if device:
            hello.device = device
        self.welcome = self.ask(hello=hello).welcome

    def ask(self, **message):
        self.last_id += 1
        self.send(self.wire.ClientFrame(id=self.last_id, **message).SerializeToString())
        while True:
            frame = self.receive()
            if frame.WhichOneof("message") == "goodbye":
                raise ConnectionError(frame.goodbye.message)
            if frame.reply_to == self.last_id:
                return frame

    def send(self, *payloads):
        self.socket.sendall(b"".join(struct.pack(">I", len(payload)) + payload for payload in payloads))

    def receive(self):
        (length,) = struct.unpack(">I", self.receive_bytes(4))
        return self.wire.BrokerFrame.FromString(self.receive_bytes(length))

    def receive_bytes(self, count):
        content = b""
        while len(content) < count:
            part = self.socket.recv(count - len(content))
            if not part:
                raise ConnectionError("The broker closed the connection.")
            content += part
        return content

    def save(self, text):
        """Saves a record, and waits until it is on the broker's disk."""
        self.number = getattr(self, "number", self.welcome.last_number) + 1
        fields = self.wire.Record(fields=[self.wire.Field(key="note", value=self.wire.Value(string=text))]).SerializeToString()
        save = self.wire.Save(name="measured", type="Contact", policy=2, fields=fields)
        group = self.wire.Group(zone=self.wire.ZoneID(), operations=[self.wire.Operation(save=save)])
        self.ask(modify=self.wire.Modify(number=self.number, acknowledged=self.number - 1, groups=[group]))

    def close(self):
        self.socket.close()


class HostileFrames:
    """Makes the payloads of frames."""

    def __init__(self, wire, seed):
        self.wire, self.random, self.next_number = wire, random.Random(seed), 1
        self.bytes = [b"", bytes(16), bytes(15) + b"\1", self.random.randbytes(16), bytes([7] * 16), bytes([7] * 32), bytes(31), b"\xff" * 40]
        self.kinds = [field for field in wire.ClientFrame.DESCRIPTOR.fields if field.message_type and field.name not in LEFT_OUT]

    def payload(self, number):
        frame = self.wire.ClientFrame(id=number if self.random.random() < 0.95 else self.random.choice([0, number - 1, 2**64 - 1]))
        if self.random.random() < 0.4:
            frame.modify.CopyFrom(self.modify())
        else:
            self.fill(getattr(frame, self.random.choice(self.kinds).name), 0)
        content = frame.SerializeToString()
        return self.changed(content) if self.random.random() < 0.02 else content

    def modify(self):
        """A request with the number that is expected, so that its operations are looked at."""
        request = self.wire.Modify(number=self.next_number, acknowledged=max(0, self.next_number - self.random.choice([1, 1, 1, 5])))
        for _ in range(self.random.choice([1, 1, 2, 6])):
            group = request.groups.add()
            group.zone.name = self.random.choice(self.bytes[1:5])
            for _ in range(self.random.choice([1, 1, 3, 20])):
                operation = group.operations.add()
                if self.random.random() < 0.5:
                    self.real(operation)
                else:
                    self.fill(operation, 1)
        self.next_number += 1
        return request

    def real(self, operation):
        choice = self.random.random()
        if choice < 0.6:
            fields = self.wire.Record(fields=[self.wire.Field(key=key, value=self.value()) for key in ("lastName", "note")])
            save = operation.save
            save.name, save.type, save.policy = f"r{self.random.randrange(200)}", "Contact", self.random.randrange(4)
            save.fields = fields.SerializeToString()
            if self.random.random() < 0.5:
                save.tag = self.random.randrange(50)
        elif choice < 0.8:
            operation.delete.name, operation.delete.is_forced = f"r{self.random.randrange(200)}", True
        else:
            operation.save_zone.title = self.random.choice(TEXTS)

    def value(self):
        value = self.wire.Value()
        self.fill(value, 2)
        return value

    def fill(self, message, depth):
        """Sets fields of a message, at most one of each group of which one can be set."""
        taken = set()
        for field in self.random.sample(list(message.DESCRIPTOR.fields), len(message.DESCRIPTOR.fields)):
            group = field.containing_oneof
            if group and group.name in taken or self.random.random() < (0.3 if depth < 3 else 0.7):
                continue
            if group:
                taken.add(group.name)
            if field.label == field.LABEL_REPEATED:
                count = self.random.choice([0, 1, 1, 2, 3, 60 if depth < 2 else 3])
                values = getattr(message, field.name)
                for _ in range(count):
                    if field.message_type:
                        if depth < 6:
                            self.fill(values.add(), depth + 1)
                    else:
                        values.append(self.scalar(field))
            elif field.message_type:
                if depth < 6:
                    inner = getattr(message, field.name)
                    inner.SetInParent()
                    self.fill(inner, depth + 1)
            else:
                setattr(message, field.name, self.scalar(field))

    def scalar(self, field):
        if field.cpp_type == field.CPPTYPE_STRING:
            return self.random.choice(self.bytes) if field.type == field.TYPE_BYTES else self.random.choice(TEXTS)
        if field.cpp_type == field.CPPTYPE_BOOL:
            return self.random.random() < 0.5
        if field.cpp_type in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
            return self.random.choice([0.0, -0.0, 1.5, 1e308, float("inf"), float("nan")])
        if field.cpp_type == field.CPPTYPE_ENUM:
            return self.random.choice([0, 1, 2, 3, 99])
        number = self.random.choice(NUMBERS)
        bits = 32 if field.cpp_type in (field.CPPTYPE_INT32, field.CPPTYPE_UINT32) else 64
        number &= 2**bits - 1
        isSigned = field.cpp_type in (field.CPPTYPE_INT32, field.CPPTYPE_INT64)
        return number - 2**bits if isSigned and number >= 2**(bits - 1) else number

    def changed(self, content):
        content = bytearray(content)
        for _ in range(self.random.randint(1, 3)):
            place = self.random.randrange(len(content) + 1)
            if self.random.random() < 0.5:
                content[place:place + 1] = bytes([self.random.randrange(256)])
            else:
                del content[place:place + self.random.randrange(9)]
        return bytes(content) or b"\0"


def attack(seed, path, folder, count, handled):
    """Sends frames until `count` have been handled for all attackers together: answered, or refused with the connection."""
    wire = protocol(folder)
    made = HostileFrames(wire, seed)
    key, device = made.random.randbytes(32), None
    while handled.value < count:
        number = 0
        try:
            connection = Connection(wire, path, f"mallory-{seed}", key, device)
            device, made.next_number = connection.welcome.device, connection.welcome.last_number + 1
            number = talk(connection, made)
        except (ConnectionError, OSError):
            if number == 0:
                # The device may have been removed by one of its own requests.
                key, device = made.random.randbytes(32), None
        with handled.get_lock():
            handled.value += number


def talk(connection, made):
    """Sends frames in batches, each with a ping behind it, and returns how many were handled before the end."""
    handled = 0
    try:
        for _ in range(FRAMES // BATCH):
            payloads = [made.payload(connection.last_id + index) for index in range(1, BATCH + 1)]
            connection.last_id += BATCH
            connection.send(*payloads)
            connection.ask(ping=made.wire.Ping())
            handled += BATCH
    except (ConnectionError, OSError):
        handled += 1
    finally:
        connection.close()
    return handled
