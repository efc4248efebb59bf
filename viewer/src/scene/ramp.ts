// Colours of values between nought and one.

import * as three from "three";
import * as look from "../generated/look";

/** From green over yellow to red in steps too small to see. */
const SHADES = Array.from({ length: 129 }, (_, step) => {
  const stops = look.ramp.map((c) => new three.Color(c));
  const at = (step / 128) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  return stops[k].clone().lerp(stops[k + 1], at - k);
});

/** From green over yellow to red. */
export function ramp(x: number): three.Color {
  return SHADES[Math.round(Math.min(Math.max(x, 0), 1) * (SHADES.length - 1))];
}
