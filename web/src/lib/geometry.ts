// A board as it is seen from a seat. Coordinates are rotated, never the drawing: labels and pieces stay upright.
import type { BoardInfo } from "../protocol";

export type Place = readonly [number, number];

export interface RotatedBoard {
  /** Where each point is. */
  points: ReadonlyMap<string, Place>;
  lines: [Place, Place][];
  zones: { corners: Place[]; seat: number | null }[];
  labels: { text: string; x: number; y: number; size: number; kind: string }[];
  dots: Place[];
  /** Strokes of the small corners around marked intersections. */
  brackets: Place[][];
  /** All that must be visible. */
  extent: Box;
  /** The bounding box of the lines; null on a board without lines. */
  grid: Box | null;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function bounds(places: Iterable<Place>): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of places) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** Everything rotated clockwise about the middle of the points. */
export function rotated(board: BoardInfo, degrees: number, coordinates = true, narrow = false): RotatedBoard {
  const box = bounds(board.points.map((point): Place => [point.x, point.y]));
  const middle: Place = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const angle = (degrees * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const rotate = ([x, y]: Place): Place => {
    const [dx, dy] = [x - middle[0], y - middle[1]];
    return [round(middle[0] + dx * cosine - dy * sine), round(middle[1] + dx * sine + dy * cosine)];
  };
  const points = new Map(board.points.map((point) => [point.name, rotate([point.x, point.y])] as const));
  const lines = board.lines.map(([start, end]): [Place, Place] => [rotate(start), rotate(end)]);
  const zones = board.zones.map((zone) => ({ corners: zone.corners.map(rotate), seat: zone.seat }));
  const labels = [...readable(board.labels.filter((label) => label.kind === "words"), rotate), ...(coordinates ? rims(board, box) : [])
    .map((label) => ({ ...label, ...at(rotate([label.x, label.y])) }))
    // Where there is little room, what is written to the left and right of the board is left out.
    .filter((label) => !narrow || (label.x > box.left - 0.4 && label.x < box.right + 0.4 && board.surface !== "holes"))];
  const grid = lines.length ? bounds(lines.flat()) : null;
  const corners = board.brackets.map(rotate).flatMap((place) => (grid ? bracket(place, grid) : []));

  const rim = narrow ? 0.08 : 0.2;
  // As much room on the left as on the right, above as below, so that a rotated board does not jump.
  const inner = bounds([...[...points.values()].flatMap((place) => around(place, 0.5)), ...lines.flat(), ...zones.flatMap((zone) => zone.corners)]);
  const outer = bounds([
    [inner.left, inner.top],
    [inner.right, inner.bottom],
    ...labels.flatMap((label) => around([label.x, label.y], label.size / 2)),
  ]);
  const across = Math.max(inner.left - outer.left, outer.right - inner.right) + rim;
  const along = Math.max(inner.top - outer.top, outer.bottom - inner.bottom) + rim;
  const extent = { left: inner.left - across, top: inner.top - along, right: inner.right + across, bottom: inner.bottom + along };
  return { points, lines, zones, labels, dots: board.dots.map(rotate), brackets: corners, extent, grid };
}

type Label = BoardInfo["labels"][number];

/** A board of this many points across has coordinates of their nominal size; on a smaller one they would be giants. */
const NOMINAL = 9;

/** Coordinates close to the points that they name, on both sides of the board: nothing is off-centre. */
function rims(board: BoardInfo, box: Box): Label[] {
  const scale = Math.min(1, (1 + Math.max(box.right - box.left, box.bottom - box.top)) / NOMINAL);
  const given = board.labels.filter((label) => label.kind === "coordinate").map((label) => {
    const size = label.size * scale;
    const beside = 0.52 + 0.62 * size;
    const row = board.points.filter((point) => Math.abs(point.y - label.y) < 0.1);
    const column = row.length ? [] : board.points.filter((point) => Math.abs(point.x - label.x) < 0.1);
    if (row.length) {
      const [left, right] = [Math.min(...row.map((point) => point.x)), Math.max(...row.map((point) => point.x))];
      return { ...label, size, x: label.x < left ? left - beside : label.x > right ? right + beside : label.x, row: true };
    }
    if (!column.length) return { ...label, size, row: false };
    const [top, bottom] = [Math.min(...column.map((point) => point.y)), Math.max(...column.map((point) => point.y))];
    return { ...label, size, y: label.y < top ? top - beside : label.y > bottom ? bottom + beside : label.y, row: false };
  });
  const opposite = given.map((label) => (label.row ? { ...label, x: box.left + box.right - label.x } : { ...label, y: box.top + box.bottom - label.y }));
  return [...given, ...opposite.filter((label) => !given.some((other) => Math.hypot(other.x - label.x, other.y - label.y) < 0.3))];
}

/** Words on a turned board: they stand where they stood, and are still read from left to right. */
function readable(words: Label[], rotate: (place: Place) => Place): Label[] {
  const order = [...words].sort((a, b) => a.y - b.y || a.x - b.x);
  const places = words.map((label) => rotate([label.x, label.y])).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return order.map((label, index) => ({ ...label, ...at(places[index]!) }));
}

const at = ([x, y]: Place): { x: number; y: number } => ({ x, y });

/** Where a seat is, seen from the middle of a board that has a place for each: degrees clockwise from the right; null if it has none. */
export function seatAngle(board: BoardInfo, seat: number, degrees: number): number | null {
  const corners = board.zones.filter((zone) => zone.seat === seat).flatMap((zone) => zone.corners);
  if (!corners.length) return null;
  const box = bounds(board.points.map((point): Place => [point.x, point.y]));
  const mean = (axis: 0 | 1): number => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  const angle = (Math.atan2(mean(1) - (box.top + box.bottom) / 2, mean(0) - (box.left + box.right) / 2) * 180) / Math.PI;
  return (Math.round(angle + degrees) + 720) % 360;
}

/** The rotations of a board, in degrees: those of its seats, and at least upside down. */
export function rotations(board: BoardInfo): number[] {
  const found = [...new Set(board.seats.map((seat) => seat.rotation % 360))].sort((a, b) => a - b);
  return found.length > 1 ? found : [0, 180];
}

/** The point nearest to a place, if there is one within reach. */
export function nearest(points: ReadonlyMap<string, Place>, [x, y]: Place, reach = 0.62): string | null {
  let best: string | null = null;
  let least = reach;
  for (const [name, place] of points) {
    const distance = Math.hypot(place[0] - x, place[1] - y);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** The next point from `from` in a direction: near, and not far off to the side. */
export function neighbour(points: ReadonlyMap<string, Place>, from: string, dx: number, dy: number): string {
  const start = points.get(from);
  if (!start) return from;
  let best = from;
  let least = Infinity;
  for (const [name, [x, y]] of points) {
    const along = (x - start[0]) * dx + (y - start[1]) * dy;
    const aside = Math.abs((x - start[0]) * dy) + Math.abs((y - start[1]) * dx);
    if (along < 0.3) continue;
    const cost = along + 2.2 * aside;
    if (cost < least) [best, least] = [name, cost];
  }
  return best;
}

export function distance(a: Place, b: Place): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** The path of an SVG that goes through these places. */
export function polyline(places: readonly Place[]): string {
  return places.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join("");
}

function around([x, y]: Place, half: number): Place[] {
  return [
    [x - half, y - half],
    [x + half, y + half],
  ];
}

function bracket([x, y]: Place, grid: Box): Place[][] {
  const strokes: Place[][] = [];
  for (const [dx, dy] of [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const) {
    const [nearX, nearY, farX, farY] = [x + 0.08 * dx, y + 0.08 * dy, x + 0.22 * dx, y + 0.22 * dy];
    if (farX < grid.left || farX > grid.right || farY < grid.top || farY > grid.bottom) continue;
    strokes.push([[farX, nearY], [nearX, nearY], [nearX, farY]]);
  }
  return strokes;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
