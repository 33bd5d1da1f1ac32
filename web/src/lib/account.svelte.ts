// The account that the reader is logged in to. Playing needs none.
import { guestName, preferences } from "./preferences.svelte";
import * as sessions from "./session";

export const account: { name: string | null } = $state({ name: accountName() });

function accountName(): string | null {
  const session = sessions.session();
  return session?.account ? session.name : null;
}

function become(session: sessions.StoredSession): void {
  account.name = session.name;
  preferences.name = session.name;
}

export async function logIn(name: string, password: string): Promise<void> {
  become(await sessions.logIn(name, password));
}

export async function register(name: string, password: string): Promise<void> {
  become(await sessions.register(name, password));
}

export async function logOut(): Promise<void> {
  await sessions.logOut();
  leave();
}

export async function deleteAccount(password: string): Promise<void> {
  await sessions.deleteAccount({ password });
  leave();
}

/** Whom the server knows us as has changed: the session may have been ended. */
export function refreshAccount(): void {
  if (accountName() === null && account.name !== null) leave();
}

function leave(): void {
  // Without the account its name cannot be ours.
  if (preferences.name === account.name) preferences.name = guestName(preferences.language);
  account.name = null;
}

/** Follow a log-in or log-out in another window. */
export function watchAccount(): () => void {
  const update = (): void => void (account.name = accountName());
  addEventListener("storage", update);
  return () => removeEventListener("storage", update);
}
