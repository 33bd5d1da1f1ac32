// Numbers as readers see them, and scales to plot them on.
let short: Intl.NumberFormat | undefined; // made when it is needed: it takes milliseconds
let shorter: Intl.NumberFormat | undefined;

/** As many digits as a curve needs: 0.00012345 → 1.2e−4, 0.98765 → 0.9877, 123456 → 123K. */
export function brief(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-3) return value.toExponential(1).replaceAll("-", "−");
  const format = size < 1e5
    ? (short ??= new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }))
    : (shorter ??= new Intl.NumberFormat("en", { maximumSignificantDigits: 3, notation: "compact" }));
  return format.format(value).replace("-", "−");
}

/** The least and the greatest of some numbers. */
export function range(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

/** A number's place in a range, from 0 to 1; 0.5 in an empty range. */
export function fraction([low, high]: readonly [number, number], value: number): number {
  return low < high ? (value - low) / (high - low) : 0.5;
}
