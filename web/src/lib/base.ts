/** What all addresses of this page begin with: nothing, or as `/boyi` behind a proxy. The server writes it into the page. */
export const base: string = globalThis.document?.documentElement.dataset["base"] ?? "";
