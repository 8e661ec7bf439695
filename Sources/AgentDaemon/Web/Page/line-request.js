// Requests whose reply has a line for each thing that the agent has done, and arrives while it works.

import { LineReader, upload } from "./api.js";

/** Posts a file. `sent(part)` gets the part that is sent, and `lines(texts)` the lines of the reply as they arrive. */
export function postForLines(path, file, { query, signal, sent, lines }) {
  const reader = new LineReader();
  let taken = 0;
  return upload(path, file, {
    query, signal, progress: sent,
    received(text) {
      const whole = reader.take(text.slice(taken)).filter(Boolean);
      taken = text.length;
      if (whole.length) lines(whole);
    },
  });
}
