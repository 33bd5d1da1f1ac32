import { mount } from "svelte";
import App from "./App.svelte";
import { base } from "./lib/base";
import { atLeisure } from "./lib/leisure";
import "./styles.css";

// After what was loaded has been evaluated: each takes its time on a phone.
atLeisure(() => mount(App, { target: document.getElementById("page")! }));

// Browsers have it on https and on this machine only; the page needs it for nothing but to be installed.
if (import.meta.env.PROD) void navigator.serviceWorker?.register(`${base}/worker.js`).catch(() => undefined);
