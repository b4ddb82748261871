import { ArrowLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { McpList, ProfileText } from "#protocol/profile-shapes";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import { McpServers } from "./mcp-servers";
import { TEXT_TITLE, textFact } from "./text-words";

interface ProfilePageProps {
  readonly name: string;
  /** Null until they have been read. */
  readonly texts: readonly ProfileText[] | null;
  readonly patterns: readonly string[] | null;
  readonly mcp: McpList | null;
  readonly problem: string | null;
  readonly onBack: () => void;
  readonly onOpen: (text: ProfileText) => void;
  readonly onNewSkill: () => void;
  readonly onDisallow: (pattern: string) => void;
  readonly onReload: () => void;
}

/** One profile's home: what the agent is told, what it may always do, which servers it has. */
export function ProfilePage(props: ProfilePageProps) {
  const { name, texts, patterns, mcp, problem } = props;
  const skills = (texts ?? []).filter((text) => text.kind === "skill");
  const own = (texts ?? []).filter((text) => text.kind !== "skill");
  return (
    <>
      <div className="-mt-1 -ml-2 flex items-center gap-1">
        <IconButton label="Back to the profiles" icon={ArrowLeft} onClick={props.onBack} />
        <h3 className="flex-1 truncate text-14 font-medium">{name}</h3>
        <Button onClick={props.onReload}>Look again</Button>
      </div>
      <p role="alert" className="text-13 text-bad empty:hidden">
        {problem}
      </p>
      <Part title="What the agent is told">
        {own.map((text) => (
          <TextRow key={text.path} title={TEXT_TITLE[text.kind]} words={text.path} typed fact={textFact(text)} onOpen={() => props.onOpen(text)} />
        ))}
      </Part>
      <Part title="Skills">
        {skills.map((text) => (
          <TextRow key={text.path} title={text.name} words={text.description ?? ""} typed={false} fact={textFact(text)} onOpen={() => props.onOpen(text)} />
        ))}
        {texts !== null && skills.length === 0 ? <Nothing>No skill yet. One is a text that the agent reads when its description fits.</Nothing> : null}
        <Button onClick={props.onNewSkill} className="mt-2">
          New skill
        </Button>
      </Part>
      <Part title="Always approved">
        <ul>
          {(patterns ?? []).map((pattern) => (
            <li key={pattern} className="flex min-h-9 items-center gap-2 touch:min-h-11">
              <span className="min-w-0 flex-1 text-14 [overflow-wrap:anywhere]">{pattern}</span>
              <Button kind="bare" aria-label={`Ask again: ${pattern}`} onClick={() => props.onDisallow(pattern)} className="-mr-3">
                Ask again
              </Button>
            </li>
          ))}
        </ul>
        {patterns?.length === 0 ? <Nothing>Nothing. Each risky command asks first, or once for a session.</Nothing> : null}
      </Part>
      <Part title="MCP servers">
        <McpServers mcp={mcp} />
      </Part>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="border-b border-hair pt-4 pb-4 last:border-0 last:pb-0">
      <h4 className="pb-1 text-12 font-medium text-faint">{title}</h4>
      {children}
    </section>
  );
}

function Nothing({ children }: { readonly children: ReactNode }) {
  return <p className="py-1 text-13 text-pretty text-muted">{children}</p>;
}

interface TextRowProps {
  readonly title: string;
  readonly words: string;
  /** The words are a path, drawn as typed. */
  readonly typed: boolean;
  readonly fact: string;
  readonly onOpen: () => void;
}

function TextRow({ title, words, typed, fact, onOpen }: TextRowProps) {
  return (
    <button type="button" onClick={onOpen} className="-mx-2 flex min-h-9 w-[calc(100%+1rem)] items-center gap-3 rounded-lg px-2 py-1.5 text-left hover:bg-fill touch:min-h-11">
      <span className="min-w-0 flex-1">
        <span className="block text-14 [overflow-wrap:anywhere]">{title}</span>
        {words === "" ? null : <span className={`block text-muted [overflow-wrap:anywhere] ${typed ? "text-code mono" : "text-13"}`}>{words}</span>}
      </span>
      <span className="flex-none text-13 text-faint tabular">{fact}</span>
      <Icon of={ChevronRight} className="text-faint" />
    </button>
  );
}
