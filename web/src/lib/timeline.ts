// When the animation of each change of a move starts and how long it takes. It follows the move's path and its
// changes alone. All times are milliseconds.
import type { Change } from "../protocol";
import { distance, type Place } from "./geometry";

/** From one point of a path to the next. */
export const LEG = 300;
/** On every landing. */
export const REST = 100;
/** Stones are flipped later by this for each unit of distance from where the move ended. */
const RIPPLE = 70;

export interface Travel {
  from: string;
  to: string;
  /** Every point that it rests on, first and last included. */
  path: string[];
}

interface Effect {
  kind: "placed" | "captured" | "turned" | "marked";
  point: string;
  glyph: string;
  start: number;
  length: number;
}

interface Timeline {
  travels: Travel[];
  effects: Effect[];
}

export function timeline(path: string[], changes: Change[], points: ReadonlyMap<string, Place>): Timeline {
  const travels: Travel[] = [];
  for (const change of changes) {
    if (change.kind !== "moved" || change.to == null) continue;
    const along = path.length > 1 && path[0] === change.point && path.at(-1) === change.to;
    travels.push({ from: change.point, to: change.to, path: along ? path : [change.point, change.to] });
  }
  const arrival = Math.max(0, ...travels.map((travel) => duration(travel) - REST));
  const origin = points.get(path.at(-1) ?? "");
  const effects: Effect[] = [];
  for (const change of changes) {
    const place = points.get(change.point);
    const farther = origin && place ? Math.max(0, distance(origin, place) - 1) : 0;
    const effect = { point: change.point, glyph: change.glyph };
    switch (change.kind) {
      case "placed":
        effects.push({ ...effect, kind: "placed", start: arrival, length: 180 });
        break;
      case "captured": {
        // What is hopped over or landed on goes when the traveller is there.
        const landing = travels.flatMap((travel) => travel.path.slice(1).map((point, leg) => ({ point, leg }))).find((one) => one.point === change.point);
        effects.push({ ...effect, kind: "captured", start: landing ? landing.leg * (LEG + REST) + LEG * 0.6 : arrival, length: 260 });
        break;
      }
      case "flipped":
        effects.push({ ...effect, kind: "turned", start: arrival + 120 + RIPPLE * farther, length: 280 });
        break;
      case "revealed":
        effects.push({ ...effect, kind: "turned", start: arrival + 40, length: 360 });
        break;
      case "marked":
        effects.push({ ...effect, kind: "marked", start: arrival, length: 160 });
        break;
    }
  }
  return { travels, effects };
}

export function duration(travel: Travel): number {
  return (travel.path.length - 1) * (LEG + REST);
}
