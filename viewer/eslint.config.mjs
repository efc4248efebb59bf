import js from "@eslint/js";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["node_modules", "**/*.js"] },
  js.configs.recommended,
  { files: ["src/**/*.ts"], extends: [...ts.configs.strict] },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly", window: "readonly", document: "readonly", Buffer: "readonly" } },
  },
);
