// The address of a view: `#/`, `#/group/ID`, with `/contact/ID`, `/contact/ID/edit` or `/new` after it; the name of a
// place, with an item after it; and `#/groups`, which only a narrow window shows by itself.

import { placeNamed } from "./places.js";

const listeners = new Set();

/** Calls `listener` with the route whenever it changes. */
export const onRoute = (listener) => listeners.add(listener);

/** Returns the route of the present address. */
export function currentRoute() {
  const parts = location.hash.replace(/^#\//, "").split("/").map(decoded);
  const route = { group: null, contact: null, mode: "list", place: null, item: null };
  if (parts[0] === "groups") return { ...route, mode: "groups" };
  if (placeNamed(parts[0])) return { ...route, mode: "place", place: parts[0], item: parts.slice(1).join("/") || null };
  if (parts[0] === "group") [, route.group] = parts.splice(0, 2);
  if (parts[0] === "new") route.mode = "new";
  if (parts[0] === "contact") {
    route.contact = parts[1];
    route.mode = parts[2] === "edit" ? "edit" : "card";
  }
  return route;
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // An address that the user has mistyped.
  }
}

function path({ group, contact, mode, place, item }) {
  if (mode === "groups") return "#/groups";
  if (mode === "place") return `#/${[place, item].filter(Boolean).map(encodeURIComponent).join("/")}`;
  const parts = group ? ["group", group] : [];
  if (mode === "new") parts.push("new");
  if (contact) parts.push("contact", contact);
  if (mode === "edit") parts.push("edit");
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** Goes to a route. `replace` keeps the history short where the user only looks through a list. */
export function go(route, { replace = false } = {}) {
  const next = { ...currentRoute(), ...route };
  const address = path(next);
  if (address === location.hash) return;
  if (replace) history.replaceState(history.state, "", address);
  else history.pushState({ from: location.hash }, "", address);
  notify();
}

/** Goes to the view that contains the present one, by the browser's history if the user came from there. */
export function goUp() {
  const { group, contact, mode, place, item } = currentRoute();
  const parents = {
    edit: { group, contact, mode: "card" }, card: { group, contact: null, mode: "list" },
    new: { group, contact: null, mode: "list" }, list: { group: null, contact: null, mode: "groups" },
    place: placeNamed(place)?.parent?.(item) ?? (item ? { place, item: null, mode } : { mode: "groups" }),
  };
  const parent = parents[mode];
  if (!parent) return;
  // Some places are opened from several others.
  const { from } = history.state ?? {};
  if (from === path(parent) || (from && placeNamed(place)?.parent)) history.back();
  else go(parent, { replace: true });
}

function notify() {
  for (const listener of listeners) listener(currentRoute());
}

addEventListener("popstate", notify);
