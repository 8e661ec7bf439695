// What is to be said about the device, the most important first: as `contactsctl doctor` does, with what to do.

import { placeNamed } from "./places.js";
import { formats, text } from "./texts.js";

/**
 * Returns the findings: `{ tone, title, sentence, command, place, decision }`. `place` is where the user decides, and
 * `decision` what the panel itself can do. `check` is the data of `/v1/check`, or null before it is known.
 */
export function findings(status, check, reachable) {
  if (!reachable) return [{ tone: "bad", title: text("status.unreachable"), sentence: text("agent.unreachable.hint") }];
  if (!status) return [];
  const found = [
    ...connection(status), ...decisions(status), ...account(status), ...damage(check), ...waiting(status),
  ];
  return found.length ? found : [{
    tone: "good", title: text("status.live"), sentence: check ? text("finding.good") : text("finding.live"),
  }];
}

function connection(status) {
  if (status.state === "signed out") {
    return [{ tone: "bad", title: text("status.signedout"), sentence: text("finding.signedout"), command: signInCommand(status) }];
  }
  const { state, sentence } = status.brokerAnswer;
  if (status.state === "offline" || state === "missing") {
    const title = status.lastSync ? text("status.offline.since", { time: formats.shortMoment(status.lastSync) }) : text("status.offline");
    return [{ tone: "warning", title, sentence: [text("finding.offline"), status.connectionError ?? sentence].filter(Boolean).join(" ") }];
  }
  return state === "slow" ? [{ tone: "warning", title: text("finding.slow"), sentence }] : [];
}

function decisions({ conflicts, heldDeletions }) {
  const found = [];
  if (heldDeletions) {
    found.push({
      tone: "warning", title: text("finding.held", { count: heldDeletions }), sentence: text("finding.held.hint"), decision: "deletions",
    });
  }
  if (conflicts) {
    const place = placeNamed("conflicts") ? "conflicts" : null;
    found.push({
      tone: "warning", title: text("status.conflicts", { count: conflicts }), place,
      sentence: text("finding.conflicts"), command: place ? null : "contactsctl conflicts",
    });
  }
  return found;
}

/** The agent's own sentences about the account and its warnings. */
function account(status) {
  if (status.state === "signed out") return [];
  const isKnown = status.accountStatus === "available" || status.connectionError !== null;
  // What waits for a decision is said already.
  const warnings = status.warnings.filter((sentence) => !(status.heldDeletions && sentence.includes("--accept-deletions")));
  return [...warnings, ...(isKnown || status.state !== "live" ? [] : [status.accountSentence])].map((sentence) => (
    { tone: "warning", title: text("finding.problem"), sentence }));
}

function damage(check) {
  if (!check) return [];
  const found = check.findings.map((sentence) => ({ tone: "bad", title: text("finding.damage"), sentence }));
  if (found.length) found.at(-1).advice = text("finding.damage.hint");
  if (check.lostFiles.length) {
    found.push({ tone: "warning", title: text("finding.lost", { count: check.lostFiles.length }), sentence: text("finding.lost.hint") });
  }
  return found;
}

function waiting({ waitingEdits, heldDeletions, state }) {
  const count = waitingEdits - heldDeletions;
  if (count <= 0 || state === "signed out") return [];
  return [{ tone: "busy", title: text("status.waiting", { count }), sentence: text("finding.waiting") }];
}

/** The command that signs this device in again. */
export const signInCommand = ({ account: name }) => `contactsctl signin ${name || "NAME"}`;
