// The colours of joints and what they mean.

import { element } from "./controls";

/** A bar of colours from nought to a value that is said later; hidden until then. */
export function legend(): { element: HTMLElement; show: (top: string | null) => void } {
  const end = element("span");
  const made = element("div", {}, element("div", { className: "scale" }), element("div", { className: "ends" }, element("span", { textContent: "0" }), end));
  const show = (top: string | null) => {
    made.hidden = top === null;
    end.textContent = top ?? "";
  };
  show(null);
  return { element: made, show };
}
