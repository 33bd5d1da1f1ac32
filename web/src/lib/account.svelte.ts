// The account one is logged in to, if any; who has none goes by any name.
import * as api from "./api";
import { preferences } from "./preferences.svelte";

export const account: { name: string | null } = $state({ name: api.session()?.account ? api.session()!.name : null });

function become(session: api.Kept): void {
  account.name = session.name;
  preferences.name = session.name;
}

export async function logIn(name: string, password: string): Promise<void> {
  become(await api.logIn(name, password));
}

export async function register(name: string, password: string): Promise<void> {
  become(await api.register(name, password));
}

export async function logOut(): Promise<void> {
  await api.logOut();
  account.name = null;
}

/** Another window may have logged in or out. */
export function watchAccount(): () => void {
  const look = (): void => {
    const session = api.session();
    account.name = session?.account ? session.name : null;
  };
  addEventListener("storage", look);
  return () => removeEventListener("storage", look);
}
