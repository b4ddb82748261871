import { fileURLToPath } from "node:url";
import { BASE_IMPORT_PATTERNS, wallOverrides } from "./lint/walls.mjs";

const TESTS = ["**/*.test.ts", "**/*.test.tsx", "**/*.test.mjs", "**/*.fixture.ts", "**/e2e/**", "**/bench/**", "**/trials/**", "**/lib/testing/**"];

const NO_EXIT = { object: "process", property: "exit", message: "Set process.exitCode and let what is open end." };
const NO_WORKING_DIRECTORY = { object: "process", property: "cwd", message: "A run has its workspace; a path is handed in." };
/** Rooms in which runs live. */
const RUN_ROOMS = ["agent", "engines", "host", "journal", "profiles", "runtime", "sessions", "workspace"];

export default {
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "node", "react", "jsx-a11y", "promise"],
  jsPlugins: [fileURLToPath(new URL("./lint/plugin.mjs", import.meta.url))],
  categories: { correctness: "error" },
  ignorePatterns: [".*", "node_modules", ".next", "dist", "drizzle", "public"],
  rules: {
    eqeqeq: ["error", "always", { null: "ignore" }],
    "max-lines": ["error", { max: 250, skipBlankLines: false, skipComments: false }],
    "max-lines-per-function": ["error", { max: 60, skipBlankLines: false, skipComments: false }],
    "no-control-regex": "off",
    "no-console": "error",
    "no-empty": ["error", { allowEmptyCatch: false }],
    "no-restricted-imports": ["error", { patterns: BASE_IMPORT_PATTERNS }],
    "no-restricted-properties": ["error", NO_EXIT],
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
    "no-var": "error",
    "no-warning-comments": ["error", { terms: ["todo:", "todo(", "fixme", "xxx", "hack:"], location: "anywhere" }],
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "node/no-process-env": "error",
    "react/exhaustive-deps": "error",
    "react/react-in-jsx-scope": "off",
    "react/rules-of-hooks": "error",
    // A scrolling region must be reachable by keyboard, and a dialog takes the focus.
    "jsx-a11y/no-autofocus": "off",
    "jsx-a11y/no-noninteractive-tabindex": "off",
    "jsx-a11y/prefer-tag-over-role": "off",
    "typescript/ban-ts-comment": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
    "unicorn/no-useless-spread": "off",
    "unicorn/prefer-string-starts-ends-with": "off",
    "house/no-abbreviation": "error",
    "house/no-loose-assertion": "error",
    "house/no-module-state": "error",
    "house/no-re-export": "error",
    "house/no-vague-file-name": "error",
    "house/room-borders": "error",
  },
  overrides: [
    ...wallOverrides(),
    {
      files: RUN_ROOMS.map((room) => `**/lib/${room}/**`),
      rules: { "no-restricted-properties": ["error", NO_EXIT, NO_WORKING_DIRECTORY] },
    },
    {
      // The framework names these files and wants default exports from them.
      files: ["**/app/**", "*.config.ts", "*.config.mjs", "**/lint/plugin.mjs"],
      rules: { "import/no-default-export": "off" },
    },
    { files: ["**/lib/config/**"], rules: { "node/no-process-env": "off" } },
    {
      // Compiled for two runtimes, told apart by this one variable at build time.
      files: ["**/instrumentation.ts"],
      rules: { "node/no-process-env": ["error", { allowedVariables: ["NEXT_RUNTIME"] }] },
    },
    {
      // Commands of the terminal: they print, they know the environment, they hold no runs.
      files: ["**/bin/**", "**/lint/**", "*.config.ts", "*.config.mjs"],
      rules: { "node/no-process-env": "off", "no-console": "off", "no-restricted-properties": "off", "house/no-module-state": "off" },
    },
    {
      // Runs before anything is installed.
      files: ["**/bin/start.mjs", "**/bin/set-up/**"],
      rules: {
        "no-restricted-imports": ["error", { patterns: [{ regex: "^([^.n]|n[^o]|no[^d]|nod[^e]|node[^:])", message: "Nothing is installed yet." }] }],
      },
    },
    {
      files: TESTS,
      rules: {
        "max-lines-per-function": "off",
        "no-console": "off",
        "no-restricted-imports": "off",
        "no-restricted-properties": "off",
        "node/no-process-env": "off",
        "house/no-module-state": "off",
        "house/room-borders": "off",
      },
    },
  ],
};
