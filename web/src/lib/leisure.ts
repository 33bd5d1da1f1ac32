// Work that nobody waits for, a little at a time: in between the page answers its reader.
import { flushSync } from "svelte";

/** How long the page is kept busy at once, in milliseconds. */
const SLICE_MS = 6;

const waiting: (() => void)[] = [];
let begun = false;
/** A task of its own, at once: timers may stand still, or wait. */
const { port1: bell, port2: hand } = new MessageChannel();
bell.onmessage = go;

/** Do this soon, after what was asked for before; the page is brought up to date at once. */
export function atLeisure(work: () => void): void {
  waiting.push(work);
  if (!begun) hand.postMessage(null);
  begun = true;
}

function go(): void {
  const end = performance.now() + SLICE_MS;
  try {
    do {
      waiting.shift()?.();
      flushSync();
    } while (waiting.length && performance.now() < end);
  } finally {
    begun = waiting.length > 0;
    if (begun) hand.postMessage(null);
  }
}
