/**
 * Files of a drop or a paste, folders opened (B212). The browser empties its list as soon as the event
 * handler returns, so entries are taken at once and only read later.
 */
export interface DroppedFiles {
  readonly files: readonly File[];
  /** More were dropped than are taken. */
  readonly left: boolean;
}

const MOST_FILES = 200;

/** Must be called inside the event's handler; resolves when folders have been read. */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  const entries = Array.from(transfer.items, (item) => (item.kind === "file" ? item.webkitGetAsEntry() : null)).filter((entry) => entry !== null);
  const plain = Array.from(transfer.files);
  if (!entries.some((entry) => entry.isDirectory)) return limited(plain);
  const files: File[] = [];
  const open = [...entries];
  while (open.length > 0 && files.length <= MOST_FILES) {
    const entry = open.shift();
    if (isFolder(entry)) open.push(...(await entriesOf(entry)));
    else if (isFile(entry)) files.push(...(await fileOf(entry)));
  }
  return limited(files);
}

function limited(files: readonly File[]): DroppedFiles {
  return { files: files.slice(0, MOST_FILES), left: files.length > MOST_FILES };
}

function isFolder(entry: FileSystemEntry | undefined): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory === true;
}

function isFile(entry: FileSystemEntry | undefined): entry is FileSystemFileEntry {
  return entry?.isFile === true;
}

/** A folder's reader gives at most a hundred entries a call; an empty answer is its end. A folder that cannot be read is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  while (entries.length <= MOST_FILES) {
    const batch = await new Promise<readonly FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (batch.length === 0) break;
    entries.push(...batch);
  }
  return entries;
}

function fileOf(entry: FileSystemFileEntry): Promise<readonly File[]> {
  return new Promise((resolve) => entry.file((file) => resolve([file]), () => resolve([])));
}
