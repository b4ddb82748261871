/** What a command runs in turn, as `unwrap` finds it: other words, text for a shell, or a finding at once. */
import type { PatternKey } from "./patterns";
import type { ShellOutput } from "./shell-scope";
import type { ShellWord } from "./shell-word";

export type Nested =
  | {
      readonly kind: "words";
      readonly words: readonly ShellWord[];
      readonly assignments?: ReadonlyMap<string, string>;
      readonly detached?: boolean;
      /** Its input was read by the command that runs it. */
      readonly withoutInput?: boolean;
      /** In a container: what would be refused on this machine only asks. */
      readonly contained?: boolean;
    }
  | {
      readonly kind: "script";
      readonly script: ShellOutput;
      readonly parameters: readonly string[];
      /** `$0`, where it is given. */
      readonly name?: string;
      /** In the same shell: what it sets stays. */
      readonly sameShell: boolean;
    }
  | { readonly kind: "finding"; readonly key: PatternKey };

export function scriptOf(words: readonly ShellWord[]): Nested {
  const origins = words.flatMap((word) => word.outputs.map((output) => output.origin));
  const origin = origins.find((candidate) => candidate === "remote") ?? origins.find((candidate) => candidate === "decoded") ?? "plain";
  return { kind: "script", script: { text: words.map((word) => word.text).join(" "), origin }, parameters: [], sameShell: false };
}
