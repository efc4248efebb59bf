// Makes the viewer one script: node bundle.mjs OUT.js
import { build } from "esbuild";

const out = process.argv[2];
if (out === undefined) {
  console.error("error: say where the script goes: node bundle.mjs OUT.js");
  process.exit(2);
}
await build({
  entryPoints: ["src/main.ts"],
  outfile: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  loader: { ".css": "text" },
  logLevel: "error",
});
