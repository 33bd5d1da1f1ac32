// The moves of an analysis as a tree: every node is a move, its children are the answers to it, the first of them the
// main one. A tree is never changed; what changes it gives a new one.
import type { Played } from "./state";

/** The start, where no move has been made. */
export const ROOT = 0;

export interface Branch extends Played {
  id: number;
  parent: number;
  children: number[];
}

export interface Tree {
  branches: ReadonlyMap<number, Branch>;
  next: number;
}

export function plant(): Tree {
  return { branches: new Map([[ROOT, { id: ROOT, parent: ROOT, children: [], seat: null, text: "", path: [], changes: [] }]]), next: 1 };
}

export function branch(tree: Tree, id: number): Branch {
  return tree.branches.get(id) ?? tree.branches.get(ROOT)!;
}

/** Another move after one; a move that is there already stays as it is. */
export function grow(tree: Tree, parent: number, move: Played): { tree: Tree; id: number } {
  const above = branch(tree, parent);
  const same = above.children.find((id) => branch(tree, id).text === move.text);
  if (same !== undefined) return { tree, id: same };
  const id = tree.next;
  const branches = new Map(tree.branches);
  branches.set(above.id, { ...above, children: [...above.children, id] });
  branches.set(id, { ...move, id, parent: above.id, children: [] });
  return { tree: { branches, next: id + 1 }, id };
}

/** Without a move and all that follows it. */
export function prune(tree: Tree, id: number): Tree {
  if (id === ROOT || !tree.branches.has(id)) return tree;
  const branches = new Map(tree.branches);
  const above = branch(tree, branch(tree, id).parent);
  branches.set(above.id, { ...above, children: above.children.filter((one) => one !== id) });
  const doomed = [id];
  for (let one = doomed.pop(); one !== undefined; one = doomed.pop()) {
    doomed.push(...branch(tree, one).children);
    branches.delete(one);
  }
  return { ...tree, branches };
}

/** The variation that a move belongs to comes before the line that it leaves. */
export function promote(tree: Tree, id: number): Tree {
  for (let one = branch(tree, id); one.id !== ROOT; one = branch(tree, one.parent)) {
    const above = branch(tree, one.parent);
    if (above.children[0] === one.id) continue;
    const branches = new Map(tree.branches);
    branches.set(above.id, { ...above, children: [one.id, ...above.children.filter((other) => other !== one.id)] });
    return { ...tree, branches };
  }
  return tree;
}

/** Is it on the line that follows the first answers all the way from the start? */
export function onMainLine(tree: Tree, id: number): boolean {
  return way(tree, id).every((one) => branch(tree, one.parent).children[0] === one.id);
}

/** The moves from the start to one, which is the last. */
export function way(tree: Tree, id: number): Branch[] {
  const moves: Branch[] = [];
  for (let one = branch(tree, id); one.id !== ROOT; one = branch(tree, one.parent)) moves.push(one);
  return moves.reverse();
}

/** The moves from the start to one, and on from there by the first answers. */
export function line(tree: Tree, id: number): Branch[] {
  const moves = way(tree, id);
  for (let one = branch(tree, id).children[0]; one !== undefined; one = branch(tree, one).children[0]) moves.push(branch(tree, one));
  return moves;
}

/** The move beside one: so many variations further, round and round. */
export function beside(tree: Tree, id: number, step: number): number {
  const { children } = branch(tree, branch(tree, id).parent);
  const at = children.indexOf(id);
  return at < 0 ? id : children[(at + step + children.length) % children.length]!;
}
