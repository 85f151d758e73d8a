/** For esbuild: what is imported as text. A script is one of the page that a report is, and runs in a browser alone. */
export const inlined = { ".css": "text", ".page.js": "text" };
