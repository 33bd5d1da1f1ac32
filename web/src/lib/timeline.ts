// When each thing that a move does is seen. A move has a path and changes; the timeline gives every change a
// beginning and a length in milliseconds, so that what is drawn follows the path and nothing else.
import type { Change, Stone } from "../protocol";
import { distance, type Place } from "./geometry";

export const LEG = 300;
export const REST = 100;
export const RIPPLE = 70;

export interface Travel {
  from: string;
  to: string;
  /** Every point it rests on, first and last included. */
  way: string[];
}

export interface Act {
  kind: "placed" | "captured" | "turned" | "marked";
  point: string;
  glyph: string;
  at: number;
  length: number;
}

export interface Timeline {
  travels: Travel[];
  acts: Act[];
  /** How long it all takes. */
  length: number;
}

export function timeline(path: string[], changes: Change[], points: ReadonlyMap<string, Place>): Timeline {
  const travels: Travel[] = [];
  for (const change of changes) {
    if (change.kind !== "moved" || change.to == null) continue;
    const along = path.length > 1 && path[0] === change.point && path.at(-1) === change.to;
    travels.push({ from: change.point, to: change.to, way: along ? path : [change.point, change.to] });
  }
  const arrival = Math.max(0, ...travels.map((travel) => duration(travel) - REST));
  const origin = points.get(path.at(-1) ?? "");
  const acts: Act[] = [];
  for (const change of changes) {
    const place = points.get(change.point);
    const away = origin && place ? Math.max(0, distance(origin, place) - 1) : 0;
    const act = { point: change.point, glyph: change.glyph };
    switch (change.kind) {
      case "placed":
        acts.push({ ...act, kind: "placed", at: arrival, length: 180 });
        break;
      case "captured": {
        // What is hopped over or landed on goes when the traveller is there.
        const landing = travels.flatMap((travel) => travel.way.slice(1).map((point, leg) => ({ point, leg }))).find((one) => one.point === change.point);
        acts.push({ ...act, kind: "captured", at: landing ? landing.leg * (LEG + REST) + LEG * 0.6 : arrival, length: 260 });
        break;
      }
      case "flipped":
        acts.push({ ...act, kind: "turned", at: arrival + 120 + RIPPLE * away, length: 280 });
        break;
      case "revealed":
        acts.push({ ...act, kind: "turned", at: arrival + 40, length: 360 });
        break;
      case "marked":
        acts.push({ ...act, kind: "marked", at: arrival, length: 160 });
        break;
    }
  }
  const length = Math.max(0, ...travels.map(duration), ...acts.map((act) => act.at + act.length));
  return { travels, acts, length };
}

export function duration(travel: Travel): number {
  return (travel.way.length - 1) * (LEG + REST);
}

/** The stones after a move: its changes, done in their order (the server's `state.changed`). */
export function changed(stones: Stone[], changes: Change[]): Stone[] {
  const standing = new Map(stones.map((stone) => [stone.point, stone.glyph]));
  for (const change of changes) {
    if (change.kind === "captured" || change.kind === "moved") standing.delete(change.point);
    if (change.kind === "moved" && change.to != null) standing.set(change.to, change.glyph);
    else if (change.kind !== "captured") standing.set(change.point, change.glyph);
  }
  return [...standing].map(([point, glyph]) => ({ point, glyph })).sort((a, b) => (a.point < b.point ? -1 : 1));
}
