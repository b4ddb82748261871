/**
 * Options whose value is a command line, of programs that otherwise run nothing: `tar -I`,
 * `split --filter`, `rsync -e`, `npx -c`. The value is judged like text for a shell, so a compressor
 * or plain `ssh` passes.
 */
import { scriptOf, type Nested } from "./nested-run";
import { optionValues, readOptions, type OptionSyntax } from "./read-options";
import { argumentsOf, type ShellCommand } from "./shell-command";

interface TextOption {
  readonly name: RegExp;
  readonly syntax: OptionSyntax;
  readonly letters: string;
  readonly long: readonly string[];
}

const TEXT_OPTIONS: readonly TextOption[] = [
  row(/^(?:g|bsd)?tar$/, "I", "use-compress-program"),
  row(/^g?split$/, "", "filter"),
  row(/^g?sort$/, "", "compress-program"),
  row(/^rsync$/, "e", "rsh", "rsync-path"),
  row(/^(?:scp|sftp)$/, "S"),
  row(/^man$/, "P", "pager"),
  row(/^git$/, "xO", "extcmd", "open-files-in-pager", "upload-pack", "receive-pack", "exec"),
];
/** Their `-c` or shell mode takes a word of several as a line for a shell. */
const PACKAGE_RUNNERS = /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun)$/;

export function optionNested(command: ShellCommand, name: string): readonly Nested[] {
  const words = argumentsOf(command);
  if (PACKAGE_RUNNERS.test(name)) return words.filter((word) => /\s/.test(word.text.trim())).map((word) => scriptOf([word]));
  return TEXT_OPTIONS.filter((option) => option.name.test(name)).flatMap(({ syntax, letters, long }) =>
    optionValues(readOptions(words, syntax), letters, ...long).map((word) => scriptOf([word])),
  );
}

function row(name: RegExp, letters: string, ...long: readonly string[]): TextOption {
  return { name, syntax: { valued: letters, longValued: long }, letters, long };
}
