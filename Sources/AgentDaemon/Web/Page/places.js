// What the page has besides the contacts: each place has an entry below the groups and a view in the other two panes.

/**
 * A place's module is read when the place is first opened, so that the list does not wait for it. It exports the class
 * of its view as `default`: `constructor(place)` gets the `PlacePane`, `show(item)` draws what the address names after
 * the place, and `refresh()` draws it again because something has changed.
 *
 * `count(status, groups)` is the number that the entry shows, of things that wait for the user. A place that `isHidden`
 * has no entry: another control leads to it. `parent(item)` is the route that contains it, if that is not a list. `key` is
 * the letter that opens the place after `g`.
 */
export const places = [
  { name: "timeline", picture: "photo", key: "t", load: () => import("./timeline-place.js") },
  { name: "accept", picture: "people", isHidden: true, load: () => import("./accept-place.js") },
  {
    name: "conflicts", picture: "conflict", key: "k", count: (status) => status?.conflicts ?? 0,
    load: () => import("./conflicts-place.js"),
  },
  { name: "duplicates", picture: "duplicates", key: "d", load: () => import("./duplicates-place.js") },
  { name: "transfer", picture: "transfer", key: "i", load: () => import("./transfer-place.js") },
  { name: "drafts", picture: "edit", key: "w", count: (status) => status?.drafts ?? 0, load: () => import("./drafts-place.js") },
  { name: "actions", picture: "history", key: "r", load: () => import("./actions-place.js") },
  {
    name: "history", picture: "history", isHidden: true, parent: (contact) => ({ mode: "card", contact, place: null, item: null }),
    load: () => import("./history-place.js"),
  },
  { name: "devices", picture: "device", key: "v", load: () => import("./devices-place.js") },
  { name: "trash", picture: "delete", key: "x", load: () => import("./trash-place.js") },
];

/** Returns the place `name`. */
export const placeNamed = (name) => places.find((place) => place.name === name);
