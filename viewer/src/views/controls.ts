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

/** A slider; `set` moves it without telling anybody. */
export function slider(id: string, label: string, range: [number, number, number], tell: (x: number) => string, change: (x: number) => void): { element: HTMLElement; set: (x: number) => void } {
  const input = element("input", { type: "range", id, min: String(range[0]), max: String(range[1]), step: String(range[2]) });
  const output = element("output");
  const set = (x: number) => {
    input.value = String(x);
    output.textContent = tell(x);
  };
  input.addEventListener("input", () => {
    output.textContent = tell(Number(input.value));
    change(Number(input.value));
  });
  return { element: element("label", { className: "row" }, element("span", {}, `${label} `, output), input), set };
}

/** A list of values with their texts, of which one is chosen. */
export function choice<V extends string>(id: string, options: readonly (readonly [V, string])[], change: (value: V) => void): HTMLSelectElement {
  const select = element("select", { id });
  for (const [value, textContent] of options) select.append(element("option", { value, textContent }));
  select.addEventListener("change", () => change(select.value as V));
  return select;
}

/** A control beside its name. */
export function row(name: string, control: HTMLElement): HTMLElement {
  return element("label", { className: "row" }, element("span", { textContent: name }), control);
}

export function facts(pairs: [string, string][]): HTMLElement {
  const list = element("dl");
  for (const [name, value] of pairs) list.append(element("dt", { textContent: name }), element("dd", { textContent: value }));
  return list;
}
