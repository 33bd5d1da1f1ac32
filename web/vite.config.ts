import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Built into the Python package: installing Boyi needs no node.
export default defineConfig({
  base: "./", // the server writes into the page where it is
  plugins: [svelte()],
  build: {
    outDir: "../src/boyi/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // a data: address would need a wider content policy
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  // `npm run dev` serves the page and passes the rest to a `boyi serve` beside it.
  // The players' guides are in docs.
  server: { fs: { allow: [".", "../docs/players"] }, proxy: { "/api": "http://127.0.0.1:8000", "/ws": { target: "ws://127.0.0.1:8000", ws: true } } },
});
