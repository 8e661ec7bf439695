// The part of a picture that becomes a photo. The user moves and zooms it; the agent gets only the result.

import { button, element } from "./elements.js";
import { text } from "./texts.js";

const viewPixels = 640;
const mostZoom = 8;
const zoomStep = 1.15;
// Of the shown part, how far an arrow key moves.
const moveStep = 0.04;

/** Asks for a square part of a picture. Returns it with at most `pixels` a side, or null if the user does not save. */
export async function croppedSquare(file, pixels) {
  const whole = await createImageBitmap(file);
  try {
    const part = new PicturePart(whole);
    if (!await new CropDialog(part).isSaved) return null;
    const { left, top, side } = part;
    const size = Math.max(1, Math.round(Math.min(side, pixels)));
    return await createImageBitmap(whole, Math.round(left), Math.round(top), Math.round(side), Math.round(side), {
      resizeWidth: size, resizeHeight: size, resizeQuality: "high",
    });
  } finally {
    whole.close();
  }
}

/** A square inside a picture. */
class PicturePart {
  zoom = 1;

  constructor(picture) {
    this.picture = picture;
    this.x = picture.width / 2;
    this.y = picture.height / 2;
  }

  get side() { return Math.min(this.picture.width, this.picture.height) / this.zoom; }
  get left() { return this.x - this.side / 2; }
  get top() { return this.y - this.side / 2; }

  /** Moves the square by parts of its side. */
  move(right, down) {
    this.x += right * this.side;
    this.y += down * this.side;
    this.#keepInside();
  }

  setZoom(zoom) {
    this.zoom = Math.min(Math.max(zoom, 1), mostZoom);
    this.#keepInside();
  }

  #keepInside() {
    const { side, picture } = this;
    this.x = Math.min(Math.max(this.x, side / 2), picture.width - side / 2);
    this.y = Math.min(Math.max(this.y, side / 2), picture.height - side / 2);
  }
}

/** Shows the square, and moves and zooms it by pointer and by keyboard. */
class CropDialog {
  #pointers = new Map();

  constructor(part) {
    this.part = part;
    this.view = element("canvas", {
      class: "crop-view", width: viewPixels, height: viewPixels, tabindex: "0", role: "application", "aria-label": text("photo.area"),
      "aria-describedby": "crop-hint", autofocus: true,
      on: {
        keydown: (event) => this.#pressed(event), wheel: (event) => this.#turned(event), pointerdown: (event) => this.#began(event),
        pointermove: (event) => this.#dragged(event), pointerup: (event) => this.#ended(event), pointercancel: (event) => this.#ended(event),
      },
    });
    // The slider is logarithmic, so that each step looks like the others.
    this.zoom = element("input", {
      type: "range", min: "0", max: "1", step: "0.01", value: "0", class: "crop-zoom", "aria-label": text("photo.zoom"),
      on: { input: () => this.#zoomTo(mostZoom ** Number(this.zoom.value)) },
    });
    this.isSaved = new Promise((resolve) => this.#open(resolve));
    this.#draw();
  }

  #open(resolve) {
    const save = (event) => {
      event.preventDefault();
      dialog.close("saved");
    };
    const leaves = new AbortController();
    const dialog = element(
      "dialog",
      {
        class: "dialog crop", "aria-labelledby": "crop-title",
        on: {
          close: () => {
            leaves.abort();
            dialog.remove();
            resolve(dialog.returnValue === "saved");
          },
        },
      },
      element("h2", { id: "crop-title", text: text("photo.crop") }),
      element("p", { id: "crop-hint", class: "hint", text: text("photo.crop.hint") }),
      element("form", { on: { submit: save } }, element("div", { class: "crop-frame" }, this.view), this.zoom,
        element(
          "div", { class: "form-actions" }, button(text("cancel"), () => dialog.close("cancelled")),
          element("button", { class: "button primary", text: text("photo.apply") }))));
    document.body.append(dialog);
    dialog.showModal();
    // The browser's way back leaves the contact that the picture is for.
    addEventListener("popstate", () => dialog.close("cancelled"), { signal: leaves.signal });
  }

  #draw() {
    const { picture, left, top, side, zoom } = this.part;
    const context = this.view.getContext("2d");
    // What is transparent becomes white in the photo.
    context.fillStyle = "white";
    context.fillRect(0, 0, viewPixels, viewPixels);
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, left, top, side, side, 0, 0, viewPixels, viewPixels);
    this.zoom.value = String(Math.log(zoom) / Math.log(mostZoom));
    this.zoom.setAttribute("aria-valuetext", text("photo.zoomed", { percent: Math.round(zoom * 100) }));
  }

  #zoomTo(zoom) {
    this.part.setZoom(zoom);
    this.#draw();
  }

  #move(right, down) {
    this.part.move(right, down);
    this.#draw();
  }

  #pressed(event) {
    const step = event.shiftKey ? moveStep * 5 : moveStep;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const zooms = { "+": zoomStep, "=": zoomStep, "-": 1 / zoomStep };
    if (event.key in moves) this.#move(...moves[event.key]);
    else if (event.key in zooms) this.#zoomTo(this.part.zoom * zooms[event.key]);
    else if (event.key === "Enter") this.view.closest("form").requestSubmit();
    else return;
    event.preventDefault();
  }

  #turned(event) {
    event.preventDefault();
    this.#zoomTo(this.part.zoom * Math.exp(-event.deltaY / 400));
  }

  #began(event) {
    this.view.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, event);
  }

  #dragged(event) {
    const last = this.#pointers.get(event.pointerId);
    if (!last) return;
    const before = this.#distance();
    this.#pointers.set(event.pointerId, event);
    if (this.#pointers.size === 2) return this.#zoomTo(this.part.zoom * this.#distance() / before);
    const width = this.view.getBoundingClientRect().width;
    this.#move((last.clientX - event.clientX) / width, (last.clientY - event.clientY) / width);
  }

  #ended(event) { this.#pointers.delete(event.pointerId); }

  /** How far two fingers are apart. */
  #distance() {
    const [one, other] = this.#pointers.values();
    return other ? Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)) : 1;
  }
}
