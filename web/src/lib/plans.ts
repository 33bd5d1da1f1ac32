// What somebody who has just made a room wants to happen in it: kept until the room's page has done it.
export interface Plan {
  /** Where to sit; null to watch. */
  seat: number | null;
  /** Level of the computer in all other seats; null to leave them for people. */
  level: number | null;
}

const plans = new Map<string, Plan>();

export function plan(room: string, wanted: Plan): void {
  plans.set(room, wanted);
}

export function takePlan(room: string): Plan | null {
  const found = plans.get(room) ?? null;
  plans.delete(room);
  return found;
}

// The password of a room that was just made or entered: its hello needs it.
const passwords = new Map<string, string>();

export function keepPassword(room: string, password: string): void {
  if (password) passwords.set(room, password);
}

export function passwordOf(room: string): string {
  return passwords.get(room) ?? "";
}
