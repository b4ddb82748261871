import { Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { WordMark } from "../look/wing-mark";

export interface FoundModel {
  readonly id: string;
  readonly name: string;
  readonly fact: string;
  /** "128k context", "built in". */
  readonly detail: string;
  /** It can be chosen; else `fact` says why not. */
  readonly available: boolean;
}

export interface FirstRunFact {
  readonly name: string;
  readonly value: string;
  /** A path, drawn as typed. */
  readonly typed: boolean;
  readonly onChange: () => void;
}

interface FirstRunProps {
  readonly models: readonly FoundModel[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
  readonly onLookAgain: () => void;
  /** How further models are set up. */
  readonly onMore: () => void;
  readonly facts: readonly FirstRunFact[];
  readonly composer: ReactNode;
}

/** The first page of a new install: who answers, where, how careful, and the first message. */
export function FirstRun({ models, chosen, onChoose, onLookAgain, onMore, facts, composer }: FirstRunProps) {
  const found = models.some((model) => model.available);
  return (
    <main className="h-dvh overflow-y-auto px-6 thin-scroll phone:px-5">
      <div className="mx-auto max-w-[var(--measure)] pt-16 pb-6 phone:pt-8 phone:pb-4">
        <div className="mb-9">
          <WordMark />
        </div>
        <h1 className="text-28 font-semibold tracking-[-0.02em]">Which model should answer?</h1>
        <p className="mt-2 mb-5 text-16 text-pretty text-muted">
          {found ? "Found on this machine. Pick one and write your first message." : "Looking for models on this machine."}
        </p>
        <div role="radiogroup" aria-label="Models">
          {models.map((model) => (
            <ModelRow key={model.id} model={model} checked={model.id === chosen} onChoose={() => onChoose(model.id)} onLookAgain={onLookAgain} />
          ))}
        </div>
        <button type="button" onClick={onMore} className="hang flex min-h-11 w-full items-center gap-4 rounded-xl text-left text-15 font-medium text-accent hover:bg-fill phone:gap-3">
          <Icon of={Plus} />
          Add a key or another address
        </button>
        <dl className="mt-5 mb-6 border-t border-hair pt-3">
          {facts.map((fact) => (
            <div key={fact.name} className="flex min-h-9 items-center">
              <dt className="w-40 flex-none text-muted phone:w-[124px]">{fact.name}</dt>
              <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
                <span className={`truncate ${fact.typed ? "text-code mono" : ""}`} title={fact.value}>
                  {fact.value}
                </span>
                <Button kind="bare" aria-label={`Change: ${fact.name}`} onClick={fact.onChange} className="-mr-3">
                  Change
                </Button>
              </dd>
            </div>
          ))}
        </dl>
        <div className="-mx-[var(--hang)]">{composer}</div>
      </div>
    </main>
  );
}

interface ModelRowProps {
  readonly model: FoundModel;
  readonly checked: boolean;
  readonly onChoose: () => void;
  readonly onLookAgain: () => void;
}

const ROW = "hang relative flex min-h-11 items-center gap-4 rounded-xl py-[11px] phone:items-start phone:gap-3";
/** A hairline above, on the text's axis, between two rows of which none is chosen. */
const RULE =
  "not-has-checked:not-first:[:not(:has(:checked))+&]:before:absolute not-has-checked:not-first:[:not(:has(:checked))+&]:before:top-0 not-has-checked:not-first:[:not(:has(:checked))+&]:before:right-[var(--hang)] not-has-checked:not-first:[:not(:has(:checked))+&]:before:left-[calc(var(--hang)+2rem)] not-has-checked:not-first:[:not(:has(:checked))+&]:before:h-px not-has-checked:not-first:[:not(:has(:checked))+&]:before:bg-hair";

function ModelRow({ model, checked, onChoose, onLookAgain }: ModelRowProps) {
  if (!model.available) {
    return (
      <div className={`${ROW} ${RULE}`}>
        <Icon of={Minus} className="text-line phone:mt-[3px]" />
        <ModelWords model={model} />
        <Button kind="bare" onClick={onLookAgain} className="-mr-3">
          Look again
        </Button>
      </div>
    );
  }
  return (
    <label className={`${ROW} ${RULE} has-checked:bg-fill has-focus-visible:outline-2 has-focus-visible:outline-accent`}>
      <input type="radio" name="first-model" checked={checked} onChange={onChoose} className="tick outline-none phone:mt-[3px]" />
      <ModelWords model={model} />
      <span className="flex-none text-13 text-faint tabular phone:hidden">{model.detail}</span>
    </label>
  );
}

function ModelWords({ model }: { readonly model: FoundModel }) {
  return (
    <span className="min-w-0 flex-1">
      <b className={`block text-15 font-medium ${model.available ? "" : "text-muted"}`}>{model.name}</b>
      <span className="text-14 text-muted">{model.fact}</span>
    </span>
  );
}
