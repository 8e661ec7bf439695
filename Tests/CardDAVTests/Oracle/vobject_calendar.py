"""Reads a calendar with vobject, a second implementation of the format.

vobject_calendar.py CALENDAR   prints each event of the file as a line of JSON, with its days until the year 2030
"""

import datetime
import json
import sys

import vobject

LAST = datetime.datetime(2030, 12, 31)


def described(event):
    days = []
    for day in event.getrruleset(addRDate=True):
        if day > LAST:
            break
        days.append(day.date().isoformat())
    return {
        "uid": event.uid.value,
        "summary": event.summary.value,
        "category": event.categories.value[0],
        "transparency": event.transp.value,
        "stamp": event.dtstamp.value.isoformat(),
        "days": days,
    }


def read(path):
    # The parser takes Unicode's other line ends for line ends if the text is not read as bytes were written.
    with open(path, encoding="utf-8", newline="") as file:
        calendar = vobject.readOne(file, allowQP=False, validate=True)
    for event in calendar.contents.get("vevent", []):
        print(json.dumps(described(event)))


if __name__ == "__main__":
    read(sys.argv[1])
