// What the user has chosen about the page. The agent stores it, because the page has a new address after a restart, and the
// browser keeps its own storage for each address.

import { call, read } from "./api.js";
import { reportFailure } from "./failure.js";

const names = ["page-language", "page-sort", "page-broker-hint", "name-order"];
const values = new Map();

/** Reads the settings. What the agent does not know keeps its default. */
export async function readSettings() {
  const replies = await Promise.allSettled(names.map((name) => read(`settings/${name}`)));
  replies.forEach(({ value: reply }, index) => { if (reply) values.set(names[index], reply.value); });
}

/** Returns the value of a setting, `fallback` if it was not read. */
export const setting = (name, fallback) => values.get(name) ?? fallback;

/** Chooses a value. Returns whether the agent has stored it. */
export async function choose(name, value) {
  values.set(name, value);
  try {
    await call("PUT", `settings/${name}`, { body: { value } });
    return true;
  } catch (error) {
    reportFailure(error);
    return false;
  }
}
