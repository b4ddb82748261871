import { Fragment, useState } from "react";
import { countOf } from "../words/count-words";
import { PaneMore, PaneNote } from "./pane";
import type { Place, Places } from "./tool-data";

interface PlacesViewProps {
  readonly places: Places;
  /** What was searched for; a pattern that is no regular expression is found as it is written. */
  readonly pattern: string;
}

const SHOWN = 40;

/** Places found, by file, with the found words washed. */
export function PlacesView({ places, pattern }: PlacesViewProps) {
  const [all, setAll] = useState(false);
  const visible = all ? places.places : places.places.slice(0, SHOWN);
  const hidden = places.places.length - visible.length;
  if (places.places.length === 0) return <PaneNote>Nothing found</PaneNote>;
  return (
    <>
      <pre className="phone:whitespace-pre-wrap">
        {byFile(visible).map(([path, found]) => (
          <Fragment key={path}>
            <span className="text-blue">{path}</span>
            {"\n"}
            {found.map((place, index) => (
              <Fragment key={index}>
                <PlaceLine place={place} pattern={pattern} />
                {"\n"}
              </Fragment>
            ))}
          </Fragment>
        ))}
      </pre>
      {hidden === 0 ? null : <PaneMore onClick={() => setAll(true)}>{countOf(hidden, "more place")}</PaneMore>}
      {places.truncated ? <PaneNote>There are more places than these</PaneNote> : null}
    </>
  );
}

function PlaceLine({ place, pattern }: { readonly place: Place; readonly pattern: string }) {
  if (place.line === null) return <span className="text-faint">{place.type === "dir" ? "  a folder of this name" : "  a file of this name"}</span>;
  return (
    <>
      <span className="text-faint">{String(place.line).padStart(4)}</span>
      {"  "}
      <Marked text={place.text.trimEnd()} pattern={pattern} />
    </>
  );
}

function byFile(places: readonly Place[]): readonly (readonly [string, readonly Place[]])[] {
  const files = new Map<string, Place[]>();
  for (const place of places) {
    const found = files.get(place.path) ?? [];
    found.push(place);
    files.set(place.path, found);
  }
  return [...files];
}

function Marked({ text, pattern }: { readonly text: string; readonly pattern: string }) {
  const range = firstMatch(text, pattern);
  if (range === null) return <>{text}</>;
  return (
    <>
      {text.slice(0, range[0])}
      <mark className="found text-inherit">{text.slice(range[0], range[1])}</mark>
      {text.slice(range[1])}
    </>
  );
}

/** Only plain patterns are looked up again: a pattern of the agent's is never run as a regular expression here. */
function firstMatch(text: string, pattern: string): readonly [number, number] | null {
  const plain = pattern.replace(/\\([^\w\s])/g, "$1");
  const at = plain === "" ? -1 : text.toLowerCase().indexOf(plain.toLowerCase());
  return at < 0 ? null : [at, at + plain.length];
}
