// Numbers for people to read.
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** Four digits are enough for a curve: 0.00012345 → 0.0001235, 123456 → 123,500. */
export function brief(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential(1);
  return short.format(value).replace("-", "−");
}

export function range(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}
