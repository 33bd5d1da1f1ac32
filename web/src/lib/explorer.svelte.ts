// The opening explorer: what was played in a position, out of the server's sources and files that the reader has opened.
// The server counts the games of a file and keeps nothing; the counts stay here while the page is open.
import type { ExploredPosition, NamedOpening, OwnGames } from "../protocol";
import * as api from "./api";
import { store, stored } from "./storage";

/** How often a move was played, and how it went for the player who made it. */
export interface Counts {
  games: number;
  wins: number;
  draws: number;
  losses: number;
}

export interface Row extends Counts {
  name: string;
  text: string;
  written: string;
  opening: NamedOpening | null;
}

export interface OwnFile extends OwnGames {
  name: string;
}

type Question = Parameters<typeof api.explore>[0];

const KEY = "boyi.explorer";
const MOST_ANSWERS = 500;
const NOTHING: Counts = { games: 0, wins: 0, draws: 0, losses: 0 };

function sum(all: Counts[]): Counts {
  return all.reduce((one, other) => ({ games: one.games + other.games, wins: one.wins + other.wins, draws: one.draws + other.draws, losses: one.losses + other.losses }), NOTHING);
}

class Explorer {
  on = $state((stored(KEY) as { on?: boolean } | null)?.on ?? true);
  /** The sources that are left out, by name. */
  hidden: string[] = $state.raw([]);
  files: OwnFile[] = $state.raw([]);

  private answers = new Map<string, Promise<ExploredPosition>>();

  toggle(): void {
    this.on = !this.on;
    store(KEY, { on: this.on });
  }

  /** What the server knows of a position; it is asked once. */
  ask(question: Question): Promise<ExploredPosition> {
    const key = JSON.stringify(question);
    let answer = this.answers.get(key);
    if (!answer) {
      if (this.answers.size >= MOST_ANSWERS) this.answers.clear();
      answer = api.explore(question);
      answer.catch(() => this.answers.delete(key));
      this.answers.set(key, answer);
    }
    return answer;
  }

  /** Look into the games of a file, too. */
  async add(file: File): Promise<OwnFile> {
    const read = { ...(await api.countGames(file, file.name)), name: file.name };
    this.files = [...this.files.filter((one) => one.name !== file.name), read];
    return read;
  }

  remove(name: string): void {
    this.files = this.files.filter((one) => one.name !== name);
  }

  /** The sources of a position, and how many games each has there. */
  sources(found: ExploredPosition): { name: string; games: number; own: boolean }[] {
    const count = (name: string): number => found.moves.reduce((games, move) => games + (move.sources[name]?.games ?? 0), 0);
    const own = this.files.map((file) => ({ name: file.name, games: sum(Object.values(file.positions[found.key] ?? {}).map(counted)).games, own: true }));
    return [...["book", "games"].map((name) => ({ name, games: count(name), own: false })), ...own];
  }

  /** The moves of a position by the sources that are chosen, the most played one first. */
  rows(found: ExploredPosition): Row[] {
    const known = new Map(found.moves.map((move) => [move.name, move]));
    const own = this.files.filter((file) => !this.hidden.includes(file.name)).map((file) => file.positions[found.key] ?? {});
    const rows = Object.entries(found.names).map(([name, { text, written }]) => {
      const move = known.get(name);
      const told = Object.entries(move?.sources ?? {}).filter(([source]) => !this.hidden.includes(source)).map(([, counts]) => counts);
      const mine = own.flatMap((positions) => (positions[name] ? [counted(positions[name])] : []));
      return { name, text, written, opening: move?.opening ?? null, ...sum([...told, ...mine]) };
    });
    return rows.filter((row) => row.games > 0 || row.opening).sort((one, other) => other.games - one.games);
  }
}

function counted([games, wins, draws, losses]: [number, number, number, number]): Counts {
  return { games, wins, draws, losses };
}

export const explorer = new Explorer();
