// Small makers of controls.

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function card(title: string, ...children: (Node | string)[]): HTMLElement {
  return element("section", { className: "card" }, element("h2", { textContent: title }), ...children);
}

export function check(id: string, label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
  const box = element("input", { type: "checkbox", id, checked: on });
  box.addEventListener("change", () => change(box.checked));
  return element("label", {}, box, label);
}

export function slider(id: string, label: string, range: [number, number, number], value: number, tell: (x: number) => string, change: (x: number) => void): HTMLElement {
  const input = element("input", { type: "range", id, min: String(range[0]), max: String(range[1]), step: String(range[2]), value: String(value) });
  const output = element("output", { textContent: tell(value) });
  input.addEventListener("input", () => {
    output.textContent = tell(Number(input.value));
    change(Number(input.value));
  });
  return element("label", { className: "row" }, element("span", {}, `${label} `, output), input);
}

export function facts(pairs: [string, string][]): HTMLElement {
  const list = element("dl");
  for (const [name, value] of pairs) list.append(element("dt", { textContent: name }), element("dd", { textContent: value }));
  return list;
}

export function tell(value: number, digits = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(digits))) : Number(value.toPrecision(digits)).toExponential().replace("e+", "e");
}

/** What keys and pointer do. */
export function keyHelp(): HTMLDialogElement {
  const list = element("dl");
  for (const [key, meaning] of [
    ["Space", "play or pause"],
    ["← →", "one frame back or on"],
    ["Home, End", "start, end; of a run that goes on, its latest frame"],
    ["1 2 3 4", "view in 3D, from the front, from the side, from above"],
    ["T", "dark or light"],
    ["Esc", "let go of a block or joint"],
    ["?", "this list"],
    ["Drag", "turn; with the right button or two fingers move; wheel zooms"],
    ["Click", "choose a block, or a joint while joints are coloured; in a plot go to that time"],
  ]) list.append(element("dt", {}, element("kbd", { textContent: key })), element("dd", { textContent: meaning }));
  const close = element("button", { textContent: "Close", autofocus: true });
  const dialog = element("dialog", { id: "help", ariaLabel: "Keys" }, element("h2", { textContent: "Keys" }), list, close);
  close.addEventListener("click", () => dialog.close());
  return dialog;
}
