/**
 * Variables whose value programs run: an editor, a pager, a prompt, code that is loaded at a start.
 * Text that a shell gets is judged by what it says; what loads a file cannot be read here, and asks.
 */
import type { Nested } from "./nested-run";

/** The value is a command line. */
const COMMAND_LINES =
  /^(?:GIT_(?:EXTERNAL_DIFF|PAGER|SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND)|(?:SSH|SUDO)_ASKPASS|(?:MAN|SYSTEMD_)?PAGER|(?:SUDO_|SYSTEMD_|KUBE_|SVN_|HG)?EDITOR|VISUAL|FCEDIT|BROWSER|LESS(?:OPEN|CLOSE)|PROMPT_COMMAND|(?:RSYNC|CVS)_RSH|SVN_SSH)$/;
/** The value is expanded, with the commands in it. */
const PROMPTS = /^PS[0-4]$/;
/** The value names code that is loaded, or where it is looked for. */
const LOADED = /^(?:BASH_ENV|(?:LD|DYLD)_(?:PRELOAD|AUDIT|INSERT_LIBRARIES)|PYTHONSTARTUP|PERL5OPT|PERL5DB|RUBYOPT|GCONV_PATH|GIT_(?:EXEC_PATH|TEMPLATE_DIR|CONFIG_(?:GLOBAL|SYSTEM|PARAMETERS|COUNT|KEY_\d+|VALUE_\d+))|NPM_CONFIG_SCRIPT_SHELL)$/i;
/** Harmless but for some programs or some values: a folder of libraries that the system brought is one of them. */
const LOADED_BY: readonly { readonly variable: RegExp; readonly program: RegExp; readonly value: RegExp }[] = [
  { variable: /^ENV$/, program: /^(?:sh|dash|ash|ksh|mksh|busybox)$/, value: /./ },
  { variable: /^NODE_OPTIONS$/, program: /^/, value: /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/ },
  { variable: /^JAVA_TOOL_OPTIONS$/, program: /^/, value: /-(?:java)?agent/ },
  { variable: /^(?:LD|DYLD)_(?:LIBRARY|FRAMEWORK)_PATH$/, program: /^/, value: /(?:^|:)(?!\/(?:usr|opt|lib\w*|System|Library)(?:\/|:|$))/ },
];

/** `program`: what the variable is set for; empty where it stays set for whatever follows. Null: nothing runs by it. */
export function variableRuns(name: string, value: string, program: string): Nested | null {
  if (value === "") return null;
  if (COMMAND_LINES.test(name)) return script(value.replace(/^\|-?/, ""));
  if (PROMPTS.test(name)) return script(`: ${value}`);
  const isLoaded = LOADED.test(name) || LOADED_BY.some((row) => row.variable.test(name) && row.program.test(program) && row.value.test(value));
  return isLoaded ? { kind: "finding", key: "code loaded by a variable" } : null;
}

function script(text: string): Nested {
  return { kind: "script", script: { text, origin: "plain" }, parameters: [], sameShell: false };
}
