// Numbers as text.

/** A number to some digits, with a power of ten if it is very large or small. */
export function tell(value: number, digits = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(digits))) : Number(value.toPrecision(digits)).toExponential().replace("e+", "e");
}
