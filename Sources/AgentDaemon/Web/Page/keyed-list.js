// A list whose items come, change and go while the user works in it.

/**
 * The elements of a list. Each item, by its `id`, keeps its element when the others change: the focus, a half-typed
 * text and a picture stay where they are, and so does what the user reads.
 */
export class KeyedList {
  #views = new Map();

  /** `make(item)` returns a view with `node`, `update(item)`, `focus()` and, where it has something to end, `close()`. */
  constructor(node, make) {
    Object.assign(this, { node, make });
  }

  /** The view of an item. */
  view(id) { return this.#views.get(id); }

  /** Ends what the views have begun. */
  close() { for (const view of this.#views.values()) view.close?.(); }

  show(items) {
    const kept = new Set(items.map(({ id }) => id));
    const focused = [...this.#views].find(([, view]) => view.node.contains(document.activeElement))?.[0];
    const ids = [...this.#views.keys()];
    for (const [id, view] of this.#views) {
      if (kept.has(id)) continue;
      view.close?.();
      view.node.remove();
      this.#views.delete(id);
    }
    let place = this.node.firstElementChild;
    for (const item of items) {
      const view = this.#views.get(item.id);
      const node = (view ?? this.#add(item)).node;
      view?.update(item);
      if (node === place) place = place.nextElementSibling; else this.node.insertBefore(node, place);
    }
    if (focused !== undefined && !kept.has(focused)) this.#focusNear(ids, ids.indexOf(focused));
  }

  #add(item) {
    const view = this.make(item);
    this.#views.set(item.id, view);
    return view;
  }

  /** The item with the focus has gone: the one after it gets it, else the one before, else the list. */
  #focusNear(ids, index) {
    const near = [...ids.slice(index), ...ids.slice(0, index).reverse()].find((id) => this.#views.has(id));
    if (near !== undefined) this.#views.get(near).focus();
    else {
      this.node.tabIndex = -1;
      this.node.focus({ preventScroll: true });
    }
  }
}
