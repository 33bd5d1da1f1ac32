import { mount } from "svelte";
import App from "./App.svelte";
import * as api from "./lib/api";
import { base } from "./lib/base";
import { atLeisure } from "./lib/leisure";
import { route } from "./lib/router.svelte";
import "./styles.css";

// After what was loaded has been evaluated, one after the other: each takes its time on a phone. What most readers see
// first is on its way while the page is made.
if (route.page === "lobby") {
  atLeisure(() => void import("./pages/Lobby.svelte").catch(() => undefined));
  atLeisure(() => void api.games().catch(() => undefined));
}
atLeisure(() => mount(App, { target: document.getElementById("page")! }));

// Browsers have it on https and on this machine only; the page needs it for nothing but to be installed, so it comes last.
if (import.meta.env.PROD) addEventListener("load", () => void navigator.serviceWorker?.register(`${base}/worker.js`).catch(() => undefined));
