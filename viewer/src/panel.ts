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
