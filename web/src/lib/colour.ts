// Arithmetic on the colours that the server names.
function channels(colour: string): [number, number, number] | null {
  const long = colour.length === 4 ? colour.replace(/[0-9a-f]/gi, "$&$&") : colour;
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(long);
  return found ? [parseInt(found[1]!, 16), parseInt(found[2]!, 16), parseInt(found[3]!, 16)] : null;
}

/** How light a colour looks, 0 to 1; one that is given by name counts as medium. */
function lightness(colour: string): number {
  const found = channels(colour);
  return found ? (0.299 * found[0] + 0.587 * found[1] + 0.114 * found[2]) / 255 : 0.5;
}

export function mix(colour: string, other: string, share: number): string {
  const [a, b] = [channels(colour), channels(other)];
  if (!a || !b) return colour;
  return `#${a.map((value, index) => Math.round(value + (b[index]! - value) * share).toString(16).padStart(2, "0")).join("")}`;
}

/** A colour that can be read when written on this one. */
export function contrasting(colour: string): string {
  return lightness(colour) > 0.5 ? "#1b1b1b" : "#f7f4ec";
}
