// What the page has besides the contacts: each place has an entry below the groups and a view in the other two panes.

import AcceptPlace from "./accept-place.js";
import ActionsPlace from "./actions-place.js";
import ConflictsPlace from "./conflicts-place.js";
import DevicesPlace from "./devices-place.js";
import DraftsPlace from "./drafts-place.js";
import DuplicatesPlace from "./duplicates-place.js";
import HistoryPlace from "./history-place.js";
import TimelinePlace from "./timeline-place.js";
import TransferPlace from "./transfer-place.js";
import TrashPlace from "./trash-place.js";

/**
 * A place's module exports the class of its view as `default`: `constructor(place)` gets the `PlacePane`, `show(item)` draws what the address names after
 * the place, and `refresh()` draws it again because something has changed.
 *
 * `count(status, groups)` is the number that the entry shows, of things that wait for the user. A place that `isHidden`
 * has no entry: another control leads to it. `parent(item)` is the route that contains it, if that is not a list. `key` is
 * the letter that opens the place after `g`.
 */
export const places = [
  { name: "timeline", picture: "photo", key: "t", View: TimelinePlace },
  { name: "accept", picture: "people", isHidden: true, View: AcceptPlace },
  {
    name: "conflicts", picture: "conflict", key: "k", count: (status) => status?.conflicts ?? 0,
    View: ConflictsPlace,
  },
  { name: "duplicates", picture: "duplicates", key: "d", View: DuplicatesPlace },
  { name: "transfer", picture: "transfer", key: "i", View: TransferPlace },
  { name: "drafts", picture: "edit", key: "w", count: (status) => status?.drafts ?? 0, View: DraftsPlace },
  { name: "actions", picture: "history", key: "r", View: ActionsPlace },
  {
    name: "history", picture: "history", isHidden: true, parent: (contact) => ({ mode: "card", contact, place: null, item: null }),
    View: HistoryPlace,
  },
  { name: "devices", picture: "device", key: "v", View: DevicesPlace },
  { name: "trash", picture: "delete", key: "x", View: TrashPlace },
];

/** Returns the place `name`. */
export const placeNamed = (name) => places.find((place) => place.name === name);
