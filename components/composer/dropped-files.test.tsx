import { describe, expect, it } from "vitest";
import { droppedFiles } from "./dropped-files";

/** What a browser hands over, of which it keeps nothing once the handler of the event is over. */
class FakeDrop {
  #over = false;

  constructor(readonly entries: readonly FakeEntry[]) {}

  /** The transfer as the page reads it; only the parts that are read are there. */
  get transfer(): DataTransfer {
    const items = this.entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => (this.#over ? null : entry) }));
    const files = this.entries.flatMap((entry) => ("whole" in entry ? [entry.whole] : [new File([], entry.name)]));
    return Object.defineProperties(Object.create(null), {
      items: { get: () => (this.#over ? [] : items) },
      files: { get: () => (this.#over ? [] : files) },
    });
  }

  end(): void {
    this.#over = true;
  }
}

type FakeEntry = FakeFile | FakeFolder;
type Found = (entries: readonly FakeEntry[]) => void;

class FakeFile {
  readonly isFile = true;
  readonly isDirectory = false;
  constructor(
    readonly whole: File,
    readonly readable = true,
  ) {}
  get name(): string {
    return this.whole.name;
  }
  file(found: (file: File) => void, failed: () => void): void {
    setImmediate(() => (this.readable ? found(this.whole) : failed()));
  }
}

/** Gives at most a hundred entries at a time, as browsers do. */
class FakeFolder {
  readonly isFile = false;
  readonly isDirectory = true;
  constructor(
    readonly name: string,
    readonly inside: readonly FakeEntry[],
    readonly readable = true,
  ) {}
  createReader(): { readEntries(found: Found, failed: () => void): void } {
    let given = 0;
    return {
      readEntries: (found, failed) => {
        const batch = this.inside.slice(given, given + 100);
        given += batch.length;
        setImmediate(() => (this.readable ? found(batch) : failed()));
      },
    };
  }
}

const file = (name: string): FakeFile => new FakeFile(new File([`words of ${name}`], name));
const many = (count: number): readonly FakeFile[] => Array.from({ length: count }, (_, index) => file(`${index}.txt`));

async function drop(entries: readonly FakeEntry[]): Promise<{ readonly names: readonly string[]; readonly left: boolean; readonly files: readonly File[] }> {
  const dropped = new FakeDrop(entries);
  const reading = droppedFiles(dropped.transfer);
  dropped.end();
  const { files, left } = await reading;
  return { names: files.map((each) => each.name), left, files };
}

describe("what is dropped", () => {
  it("is all of it, five files and what is in a folder, though the browser's list is gone by then (B212)", async () => {
    const five = ["a", "b", "c", "d", "e"].map((name) => file(`${name}.txt`));
    const { names, left, files } = await drop([...five, new FakeFolder("kites", [file("red.png"), new FakeFolder("deeper", [file("blue.png")])])]);
    expect([...names].sort()).toEqual(["a.txt", "b.txt", "blue.png", "c.txt", "d.txt", "e.txt", "red.png"]);
    expect(left).toBe(false);
    expect(await files[0]?.text()).toBe("words of a.txt");
  });

  it("is five files in their order where there is no folder (B212)", async () => {
    expect(await drop(many(5))).toMatchObject({ names: ["0.txt", "1.txt", "2.txt", "3.txt", "4.txt"], left: false });
  });

  it("is a folder of more than a reader gives at once, up to a bound that is told", async () => {
    expect((await drop([new FakeFolder("many", many(150))])).names).toHaveLength(150);
    const over = await drop([new FakeFolder("more", many(250)), file("last.txt")]);
    expect([over.names.length, over.left]).toEqual([200, true]);
  });

  it("is the rest where something cannot be read", async () => {
    const broken = new FakeFile(new File([], "gone.txt"), false);
    expect((await drop([new FakeFolder("shut", [file("x.txt")], false), broken, file("there.txt")])).names).toEqual(["there.txt"]);
  });
});
