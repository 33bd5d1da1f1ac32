// What the page that made a room hands on to the room's own page.
import type { MoveSeconds } from "./ladder";

/** What the host wants to happen in the new room. */
export interface Plan {
  /** Where the host sits; null to watch. */
  seat: number | null;
  /** The computer's level in all other seats; null to leave them free. */
  level: number | null;
  /** For a move of the highest level, or of an opponent by name. */
  seconds: MoveSeconds | null;
  /** Who plays in place of the level; empty for nobody. */
  opponent: string;
}

const plans = new Map<string, Plan>();

export function setPlan(room: string, plan: Plan): void {
  plans.set(room, plan);
}

export function takePlan(room: string): Plan | null {
  const found = plans.get(room) ?? null;
  plans.delete(room);
  return found;
}

// The passwords of rooms that were just made or entered.
const passwords = new Map<string, string>();

export function keepPassword(room: string, password: string): void {
  if (password) passwords.set(room, password);
}

export function passwordOf(room: string): string {
  return passwords.get(room) ?? "";
}
