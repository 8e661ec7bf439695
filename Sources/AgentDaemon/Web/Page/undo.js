// Undo of actions of this device.

import { call } from "./api.js";
import { reportFailure } from "./failure.js";
import { text } from "./texts.js";
import { announce, showToast } from "./toasts.js";

/** Undoes an action, and says what was kept because it has changed since. Returns whether anything was undone. */
export async function undo(action) {
  try {
    const { data } = await call("POST", "undo", { body: { action: Number(action) } });
    const kept = data.leftAlone.length;
    if (kept === 0) announce(text("undone"));
    else showToast(text(data.setBack.length ? "undone.partly" : "undone.nothing", { count: kept, name: data.leftAlone[0].name }));
    return data.setBack.length > 0;
  } catch (error) {
    reportFailure(error);
    return false;
  }
}

/** Shows a toast that offers to undo `action`, the number in the header `Undo-Action`; `then` runs after the undo. */
export function offerUndo(sentence, action, then = () => {}) {
  showToast(sentence, action === null ? null : {
    label: text("undo"), undoes: true, run: async () => { if (await undo(action)) await then(); },
  });
}
