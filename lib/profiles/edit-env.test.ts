import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editEnv } from "./edit-env";
import { readEnvFile } from "./env-file";

let home: string;
let file: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "edit-env-"));
  file = join(home, ".env");
});
afterEach(() => rm(home, { recursive: true, force: true }));

const text = (): Promise<string> => readFile(file, "utf8");

describe("changing a profile's .env", () => {
  it("makes a private file, and makes a readable one private", async () => {
    expect(await editEnv(home, { OPENAI_API_KEY: "sk-one" })).toEqual({ status: "saved" });
    expect(await text()).toBe("OPENAI_API_KEY=sk-one\n");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o644);
    expect(await editEnv(home, { OPENAI_API_KEY: "sk-one" })).toEqual({ status: "unchanged" });
    await editEnv(home, { OPENAI_API_KEY: "sk-two" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("touches the lines in question only: comments, order, quotes, line ends and the mark at the start stay", async () => {
    const before = "\uFEFF# mine\r\nexport  OTHER = 'a # b'  # keep\r\n\r\n# OPENAI_API_KEY=old\r\nOPENAI_API_KEY: \"sk-1\"   # work\r\nLAST=`x`";
    await writeFile(file, before);
    await editEnv(home, { OPENAI_API_KEY: "sk-2", GOOGLE_GENERATIVE_AI_API_KEY: "g" });
    expect(await text()).toBe(`${before.replace('"sk-1"', "sk-2")}\r\nGOOGLE_GENERATIVE_AI_API_KEY=g\r\n`);
    await editEnv(home, { OPENAI_API_KEY: null, GOOGLE_GENERATIVE_AI_API_KEY: null });
    expect(await text()).toBe("\uFEFF# mine\r\nexport  OTHER = 'a # b'  # keep\r\n\r\n# OPENAI_API_KEY=old\r\nLAST=`x`\r\n");
  });

  it("writes any one-line value so that it reads the same", async () => {
    for (const value of ["a b", "a#b", "it's", 'say "x"', "`", " led", "a=b", "\\n", "$HOME", "ключ"]) {
      expect(await editEnv(home, { A: value }), value).toEqual({ status: "saved" });
      expect(await readEnvFile(home)).toEqual({ A: value });
    }
    expect((await editEnv(home, { A: `'"\`#` })).status).toBe("refused");
  });

  it("of a variable that stands there twice the last one counts; taken out are all", async () => {
    await writeFile(file, "A=1\nB=2\nA=3 # c\n\n# about C\nC=\n# end\n");
    await editEnv(home, { A: "4" });
    expect(await text()).toBe("A=1\nB=2\nA=4 # c\n\n# about C\nC=\n# end\n");
    await editEnv(home, { A: null, C: null, NONE: null });
    expect(await text()).toBe("B=2\n\n# about C\n# end\n");
  });

  it("values over several lines go as a whole, and a name that another one begins with is another one", async () => {
    await writeFile(file, 'KEY="-----BEGIN\nKEY_TWO=no\n-----END"\nKEY_TWO=yes\n');
    await editEnv(home, { KEY_TWO: "now" });
    expect(await readEnvFile(home)).toEqual({ KEY: "-----BEGIN\nKEY_TWO=no\n-----END", KEY_TWO: "now" });
    await editEnv(home, { KEY: null });
    expect(await text()).toBe("KEY_TWO=now\n");
  });

  it("is refused where the file cannot be read", async () => {
    await writeFile(file, Buffer.alloc(2 * 1024 * 1024, "#"));
    expect((await editEnv(home, { A: "1" })).status).toBe("refused");
  });
});
