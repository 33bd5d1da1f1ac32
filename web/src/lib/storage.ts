// JSON values in the local storage of this browser.

/** A stored value; null if there is none, or none that can be read. */
export function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value, unless its JSON has `limit` characters or more. */
export function store(key: string, value: unknown, limit = Infinity): void {
  const text = JSON.stringify(value);
  if (text.length < limit) localStorage.setItem(key, text);
}
