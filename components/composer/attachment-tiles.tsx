import { File as FileIcon, Image, TriangleAlert, X } from "lucide-react";
import { Icon } from "../look/icon";
import { Ring } from "../look/ring";
import { sizeWords } from "../words/count-words";

export interface AttachmentTile {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly isImage: boolean;
  readonly state: { readonly kind: "loading"; readonly share: number } | { readonly kind: "ready" } | { readonly kind: "failed"; readonly message: string };
}

interface AttachmentTilesProps {
  readonly tiles: readonly AttachmentTile[];
  readonly onRemove: (key: string) => void;
  readonly onRetry: (key: string) => void;
}

/** What goes along with the message: 36 px tiles, with how much of each has arrived. */
export function AttachmentTiles({ tiles, onRemove, onRetry }: AttachmentTilesProps) {
  if (tiles.length === 0) return null;
  return (
    <ul aria-label="Attachments" className="-mt-0.5 mb-2.5 -ml-2 flex max-h-40 flex-wrap gap-2 overflow-y-auto thin-scroll">
      {tiles.map((tile) => (
        <li key={tile.key} data-edge="" className="flex h-9 max-w-full items-center gap-2 rounded-lg bg-fill pl-2.5 text-13 touch:h-11" title={titleOf(tile)}>
          <TileMark tile={tile} />
          <span className="max-w-56 truncate">{tile.name}</span>
          <span className="flex-none text-12 text-faint tabular">{factOf(tile)}</span>
          {tile.state.kind === "failed" ? (
            <button type="button" onClick={() => onRetry(tile.key)} className="min-h-6 flex-none text-12 font-medium text-accent hover:underline touch:min-h-11">
              Try again
            </button>
          ) : null}
          <button
            type="button"
            aria-label={`Remove ${tile.name}`}
            onClick={() => onRemove(tile.key)}
            className="grid size-8 flex-none place-items-center rounded-lg text-faint hover:text-ink touch:size-11"
          >
            <Icon of={X} size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function TileMark({ tile }: { readonly tile: AttachmentTile }) {
  if (tile.state.kind === "loading") return <Ring />;
  if (tile.state.kind === "failed") return <Icon of={TriangleAlert} size={14} className="text-bad" />;
  return <Icon of={tile.isImage ? Image : FileIcon} size={14} className="text-muted" />;
}

function factOf(tile: AttachmentTile): string {
  if (tile.state.kind === "loading") return `${Math.round(tile.state.share * 100)} %`;
  return tile.state.kind === "failed" ? "not sent" : sizeWords(tile.size);
}

function titleOf(tile: AttachmentTile): string {
  return tile.state.kind === "failed" ? `${tile.name}: ${tile.state.message}` : tile.name;
}
