// The requests for access to the account's groups that wait for an answer.

import { ApiError, read } from "./api.js";
import { SessionEnded } from "./session.js";

/** Counts the waiting requests of each group. */
export class AccessRequests {
  #counts = new Map();
  #reads = 0;

  /** `changed` runs when a number is another one. */
  constructor(changed) { this.changed = changed; }

  /** The number of waiting requests for a group. */
  count(group) { return this.#counts.get(group) ?? 0; }

  /** Reads the requests of the groups that the account manages. */
  async refresh(groups) {
    const number = ++this.#reads;
    const counts = new Map();
    // One after the other: the list and the card have the other connections.
    for (const { id } of groups.filter(isManaged)) {
      const waiting = await this.#waiting(id);
      if (waiting) counts.set(id, waiting);
    }
    if (number !== this.#reads || JSON.stringify([...counts]) === JSON.stringify([...this.#counts])) return;
    this.#counts = counts;
    this.changed();
  }

  async #waiting(group) {
    try {
      const { requests } = await read(`groups/${group}/requests`);
      return requests.filter(({ standing }) => standing === "waiting").length;
    } catch (error) {
      // A group that was deleted meanwhile, or an agent that stops, has none.
      if (error instanceof ApiError || error instanceof SessionEnded) return 0;
      throw error;
    }
  }
}

/** The group that each account has from the beginning. It cannot be shared or deleted. */
export const isDefault = ({ id }) => /^0+$/.test(id);

/** Whether the account may manage a group's participants. */
export const isManaged = (group) => group.role !== "member" && !isDefault(group);
