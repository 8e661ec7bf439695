// Favorites and the user's own card. Both are found by what every program keeps, as contactsctl does: a category, and
// the name of the account's user.

import { call, read } from "./api.js";

// Exports of Google have the category “starred”.
const categories = ["favorites", "favorite", "favourites", "favourite", "starred"];
const isCategory = (category) => categories.includes(category.toLowerCase());
// More favorites than these would be a list of their own.
const mostFavorites = 100;
const nameMilliseconds = 60_000;

let name = null;
let nameRead = -Infinity;
let naming = null;

/** Whether a contact is a favorite. */
export const isFavorite = ({ categories: own = [] }) => own.some(isCategory);

/** The categories of a contact after it has become a favorite or is none any more. */
export const toggled = (own) => (own.some(isCategory) ? own.filter((category) => !isCategory(category)) : [...own, "Favorites"]);

/** Makes a contact a favorite, or takes that back. Returns the reply of the agent. */
export const toggleFavorite = (contact) => call("PATCH", `contacts/${contact.id}`, {
  body: { categories: toggled(contact.categories ?? []) }, version: contact.version, key: crypto.randomUUID(),
});

/** Whether the name of the account's user is known. It is read again after a minute: lists are read with every change. */
export const isNameKnown = () => performance.now() - nameRead <= nameMilliseconds;

/** Reads the name of the account's user, for which the agent asks the broker, so that it can take seconds. */
function readName() {
  if (isNameKnown()) return Promise.resolve();
  naming ??= read("whoami")
    .then(({ account }) => { [name, nameRead] = [account.displayName ?? account.name, performance.now()]; })
    .finally(() => { naming = null; });
  return naming;
}

/**
 * Returns what a list begins with: `{ own, favorites }`, in the order of the list. `own` has at most one contact, and none
 * if the user's name is not known and `waits` is false.
 */
export async function firstContacts({ group, sort }, signal, { waits = true } = {}) {
  const reading = readName();
  if (waits) await reading; else reading.catch(() => {}); // The list asks again.
  const found = (q) => read("contacts", { q, group, sort, limit: 2 * mostFavorites }, signal);
  const own = name;
  // The search finds words by their beginnings, and in all fields.
  const [named, ...marked] = await Promise.all([own ? found(own) : { contacts: [] }, found("favo"), found("starred")]);
  const card = named.contacts.filter((contact) => contact.name === own).slice(0, 1);
  const favorites = new Map(marked.flatMap(({ contacts }) => contacts)
    .filter((contact) => isFavorite(contact) && contact.id !== card[0]?.id).map((contact) => [contact.id, contact]));
  return { own: card, favorites: [...favorites.values()].slice(0, mostFavorites) };
}
