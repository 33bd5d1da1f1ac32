// The moves of an analysis as a tree: every node is a move, its children are the moves after it, the first of them the
// main line. A tree is immutable: what changes it returns a new one.
import type { Drawing } from "./arrows";
import type { PlayedMove } from "./history";

/** The starting position, before any move. */
export const ROOT = 0;

export interface MoveNode extends PlayedMove {
  id: number;
  parent: number;
  children: number[];
  /** What the reader drew on the board here. */
  drawings?: Drawing[];
}

export interface Tree {
  nodes: ReadonlyMap<number, MoveNode>;
  next: number;
}

export function newTree(): Tree {
  return { nodes: new Map([[ROOT, { id: ROOT, parent: ROOT, children: [], seat: null, text: "", path: [], changes: [] }]]), next: 1 };
}

export function node(tree: Tree, id: number): MoveNode {
  return tree.nodes.get(id) ?? tree.nodes.get(ROOT)!;
}

/** Add a move after another; one that is there already stays as it is. */
export function add(tree: Tree, parent: number, move: PlayedMove): { tree: Tree; id: number } {
  const above = node(tree, parent);
  const same = above.children.find((id) => node(tree, id).text === move.text);
  if (same !== undefined) return { tree, id: same };
  const id = tree.next;
  const nodes = new Map(tree.nodes);
  nodes.set(above.id, { ...above, children: [...above.children, id] });
  nodes.set(id, { ...move, id, parent: above.id, children: [] });
  return { tree: { nodes, next: id + 1 }, id };
}

/** Keep what was drawn after a move. */
export function draw(tree: Tree, id: number, drawings: Drawing[]): Tree {
  const nodes = new Map(tree.nodes);
  nodes.set(id, { ...node(tree, id), drawings });
  return { ...tree, nodes };
}

/** Remove a move and all that follow it. */
export function remove(tree: Tree, id: number): Tree {
  if (id === ROOT || !tree.nodes.has(id)) return tree;
  const nodes = new Map(tree.nodes);
  const above = node(tree, node(tree, id).parent);
  nodes.set(above.id, { ...above, children: above.children.filter((one) => one !== id) });
  const removed = [id];
  for (let one = removed.pop(); one !== undefined; one = removed.pop()) {
    removed.push(...node(tree, one).children);
    nodes.delete(one);
  }
  return { ...tree, nodes };
}

/** Put the variation that a move belongs to before the line that it leaves. */
export function promote(tree: Tree, id: number): Tree {
  for (let one = node(tree, id); one.id !== ROOT; one = node(tree, one.parent)) {
    const above = node(tree, one.parent);
    if (above.children[0] === one.id) continue;
    const nodes = new Map(tree.nodes);
    nodes.set(above.id, { ...above, children: [one.id, ...above.children.filter((other) => other !== one.id)] });
    return { ...tree, nodes };
  }
  return tree;
}

/** Is a move on the line of first children from the start? */
export function onMainLine(tree: Tree, id: number): boolean {
  return movesTo(tree, id).every((one) => node(tree, one.parent).children[0] === one.id);
}

/** The moves from the start up to and including one. */
export function movesTo(tree: Tree, id: number): MoveNode[] {
  const moves: MoveNode[] = [];
  for (let one = node(tree, id); one.id !== ROOT; one = node(tree, one.parent)) moves.push(one);
  return moves.reverse();
}

/** The moves from the start to one, and on from there by the first children. */
export function lineThrough(tree: Tree, id: number): MoveNode[] {
  const moves = movesTo(tree, id);
  for (let one = node(tree, id).children[0]; one !== undefined; one = node(tree, one).children[0]) moves.push(node(tree, one));
  return moves;
}

/** The alternative to a move that is `step` further in the list, round and round. */
export function sibling(tree: Tree, id: number, step: number): number {
  const { children } = node(tree, node(tree, id).parent);
  const at = children.indexOf(id);
  return at < 0 ? id : children[(at + step + children.length) % children.length]!;
}
