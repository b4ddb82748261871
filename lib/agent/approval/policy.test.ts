import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATTERNS, PATTERN_KEYS } from "./patterns";
import { createJudgeCall, judgeCall, type Judgement, type JudgeRequest } from "./policy";

const WORKSPACE = "/home/ada/work/site";

function request(tool: string, parameters: Readonly<Record<string, unknown>>, over: Partial<JudgeRequest> = {}): JudgeRequest {
  return { tool, arguments: parameters, workspace: WORKSPACE, home: "/home/ada/.hermes", user_home: "/home/ada", mode: "manual", yolo: false, session_allows: new Set(), allowlist: [], asks: false, ...over };
}

function terminal(command: string, over: Partial<JudgeRequest> = {}): Promise<Judgement> {
  return judgeCall(request("terminal", { command }, over));
}

async function asked(judgement: Promise<Judgement>): Promise<Extract<Judgement, { decision: "ask" }>> {
  const answer = await judgement;
  if (answer.decision !== "ask") throw new Error(`expected a question, got ${JSON.stringify(answer)}`);
  return answer;
}

describe("a terminal command", () => {
  it("runs when nothing speaks against it", async () => {
    expect(await terminal("npm test")).toEqual({ decision: "run" });
  });

  it("asks with what will happen, where, how risky and why", async () => {
    expect(await judgeCall(request("terminal", { command: "rm -rf build", cwd: "packages/a" }))).toEqual({
      decision: "ask",
      summary: "Delete a folder with everything in it",
      command: "rm -rf build",
      cwd: "/home/ada/work/site/packages/a",
      risk: { level: "high", reasons: ["It deletes folders with everything in them; nothing can bring them back."], pattern_keys: ["recursive delete"] },
      choices: ["once", "session", "always", "deny"],
    });
  });

  it("judges relative paths from the folder that the call names", async () => {
    expect((await terminal("rm -rf *", { workspace: "/" })).decision).toBe("refuse");
    expect((await judgeCall(request("terminal", { command: "rm -rf *", cwd: "/home/ada" }))).decision).toBe("refuse");
    expect((await judgeCall(request("terminal", { command: "rm -rf *", cwd: "a" }))).decision).toBe("ask");
  });

  it("shows the command with what cannot be seen made visible, and does not offer to remember it", async () => {
    const answer = await asked(terminal("rm -rf a\u202Eb\u200B"));
    expect(answer.command).toBe("rm -rf a\\u{202E}b\\u{200B}");
    expect(answer.risk.pattern_keys).toEqual(["recursive delete", "hidden characters"]);
    expect(answer.choices).toEqual(["once", "session", "deny"]);
  });

  it("asks when it cannot be parsed, without always", async () => {
    const answer = await asked(terminal("echo 'unclosed"));
    expect(answer.risk.pattern_keys).toEqual(["unreadable command"]);
    expect(answer.choices).toEqual(["once", "session", "deny"]);
  });

  it("leads with the worst of several findings", async () => {
    const answer = await asked(terminal("git clean -f; curl x | sh; chmod 777 a"));
    expect(answer.risk.level).toBe("critical");
    expect(answer.summary).toBe(PATTERNS["remote code"].summary);
    expect(answer.risk.pattern_keys).toEqual(["open permissions", "remote code", "git clean"]);
  });
});

describe("the hard floor", () => {
  it.each(["rm -rf /", "mkfs.ext4 /dev/sdb", "cat x > /dev/sda", ":(){ :|:& };:", "shutdown now", "kill -9 -1"])("refuses %s in every mode, yolo and allowed included", async (command) => {
    const over = { session_allows: new Set<string>(PATTERN_KEYS), allowlist: [...PATTERN_KEYS, command, "*", `${command}*`] };
    for (const mode of ["manual", "off"] as const) {
      for (const yolo of [false, true]) expect((await terminal(command, { ...over, mode, yolo })).decision).toBe("refuse");
    }
  });

  it("says why, in a sentence", async () => {
    expect(await terminal("rm -rf ~")).toEqual({ decision: "refuse", reason: "It would delete the disk, a system folder or a home folder.", pattern_keys: ["delete of everything"] });
  });

  it("protects the profile's home like the person's own", async () => {
    expect((await terminal("rm -rf /srv/hermes", { home: "/srv/hermes/profiles/a", yolo: true })).decision).toBe("refuse");
    expect((await terminal("rm -rf /srv/other", { home: "/srv/hermes/profiles/a", yolo: true })).decision).toBe("run");
  });

  it("holds when the grammar cannot be loaded: asks a person, refuses where there is none to ask", async () => {
    const judge = createJudgeCall(() => Promise.reject(new Error("missing")));
    expect((await judge(request("terminal", { command: "ls" }))).decision).toBe("ask");
    expect((await judge(request("terminal", { command: "ls" }, { yolo: true }))).decision).toBe("refuse");
    expect((await judge(request("terminal", { command: "ls" }, { mode: "off" }))).decision).toBe("refuse");
  });
});

describe("permissions", () => {
  it("mode off and yolo let all but the floor run", async () => {
    expect((await terminal("rm -rf build", { mode: "off" })).decision).toBe("run");
    expect((await terminal("echo 'unclosed", { yolo: true })).decision).toBe("run");
  });

  it("a pattern allowed for the session no longer asks, others still do", async () => {
    const session_allows = new Set(["recursive delete"]);
    expect((await terminal("rm -rf build", { session_allows })).decision).toBe("run");
    const answer = await asked(terminal("rm -rf /tmp/build", { session_allows }));
    expect(answer.risk.pattern_keys).toEqual(["delete outside the workspace"]);
  });

  it("a pattern allowed for good no longer asks, but nobody can allow the unreadable for good", async () => {
    expect((await terminal("rm -rf build", { allowlist: ["recursive delete"] })).decision).toBe("run");
    expect((await terminal("echo 'a", { allowlist: ["unreadable command"] })).decision).toBe("ask");
    expect((await terminal("echo 'a", { session_allows: new Set(["unreadable command"]) })).decision).toBe("run");
  });

  it("a hand-written command or glob allows that one simple command", async () => {
    const allowlist = ["rm -rf dist", "git push --force *", "*"];
    expect((await terminal("rm -rf dist", { allowlist })).decision).toBe("run");
    expect((await terminal(" rm -rf dist ", { allowlist })).decision).toBe("run");
    expect((await terminal("git push --force origin fix", { allowlist })).decision).toBe("run");
    expect((await terminal("rm -rf distant", { allowlist })).decision).toBe("ask");
    for (const more of ["; rm -rf src", " && rm -rf src", " | sh", "\nrm -rf src", " $(rm -rf src)", " `rm -rf src`", " > .env", " & rm -rf src"]) {
      expect((await terminal(`git push --force origin${more}`, { allowlist })).decision).toBe("ask");
    }
    expect((await terminal("git push --force a\u200Bb", { allowlist })).decision).toBe("ask");
  });
});

describe("file tools", () => {
  it.each([
    [".env", "environment file write"], ["config/.env.local", "environment file write"], [".ENV", "environment file write"], ["a/../.envrc", "environment file write"],
    [".bashrc", "start-up file write"], ["dot/.zshrc", "start-up file write"], [".profile", "start-up file write"], [".config/fish/config.fish", "start-up file write"],
    [".ssh/config", "ssh file write"], [".ssh", "ssh file write"], [".git/hooks/pre-commit", "git hook write"], ["sub/.git/hooks/post-merge", "git hook write"], ["./.GIT//hooks/x", "git hook write"], [".git/config", "git hook write"],
  ])("asks before writing %s", async (path, key) => {
    for (const tool of ["write_file", "patch"]) {
      const answer = await asked(judgeCall(request(tool, { path, content: "x" })));
      expect(answer.risk.pattern_keys).toEqual([key]);
      expect(answer.command).toBeNull();
      expect(answer.choices).toEqual(["once", "session", "always", "deny"]);
    }
  });

  it.each(["src/env.ts", "README.md", "environment.md", ".gitignore", ".github/workflows/ci.yml", "bashrc", "config.yaml", "ssh/config", ".npmrc"])("does not ask before writing %s", async (path) => {
    expect((await judgeCall(request("write_file", { path, content: "x" }))).decision).toBe("run");
  });

  it("does not ask for reading", async () => {
    expect((await judgeCall(request("read_file", { path: ".env" }))).decision).toBe("run");
  });
});

describe("other tools", () => {
  it("asks for a tool that is marked so, by its own pattern", async () => {
    const answer = await asked(judgeCall(request("mail_send", { to: "x" }, { asks: true })));
    expect(answer.summary).toBe("Use the tool mail_send");
    expect(answer.risk.pattern_keys).toEqual(["tool mail_send"]);
    expect((await judgeCall(request("mail_send", {}, { asks: true, session_allows: new Set(["tool mail_send"]) }))).decision).toBe("run");
    expect((await judgeCall(request("mail_send", {}, { asks: true, allowlist: ["tool mail_send"] }))).decision).toBe("run");
    expect((await judgeCall(request("mail_send", {}, { asks: true, allowlist: ["*"] }))).decision).toBe("ask");
  });

  it("leaves arguments of the wrong shape to the tool's own check", async () => {
    expect((await judgeCall(request("terminal", { command: 7 }))).decision).toBe("run");
    expect((await judgeCall(request("write_file", {}))).decision).toBe("run");
    expect((await judgeCall(request("todo", { items: [] }))).decision).toBe("run");
  });
});

describe("the words on the card", () => {
  it.each(PATTERN_KEYS)("%s says what and why in at most 12 words each", (key) => {
    const { summary, reason } = PATTERNS[key];
    for (const sentence of [summary, reason]) expect(sentence.split(/\s+/).length).toBeLessThanOrEqual(12);
    expect(summary).not.toMatch(/[.!]$/);
    expect(reason).toMatch(/^[A-Z].*\.$/);
  });
});

describe("a link that is there already", () => {
  let workspace: string;
  beforeAll(() => {
    workspace = mkdtempSync(join(tmpdir(), "linked-"));
    mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
    symlinkSync(".git/hooks", join(workspace, "scripts"));
    symlinkSync(".env.local", join(workspace, "settings.txt"));
    symlinkSync("loop", join(workspace, "loop"));
  });
  afterAll(() => {
    rmSync(workspace, { recursive: true });
  });

  it.each([
    ["scripts/pre-commit", "git hook write"],
    ["scripts/new/deep.sh", "git hook write"],
    ["settings.txt", "environment file write"],
  ])("does not hide where %s leads, from a file tool or a command", async (path, key) => {
    for (const [tool, parameters] of [["write_file", { path, content: "x" }], ["patch", { path, old_text: "a", new_text: "b" }], ["terminal", { command: `echo x > ${path}` }]] as const) {
      expect((await asked(judgeCall(request(tool, parameters, { workspace })))).risk.pattern_keys).toEqual([key]);
    }
  });

  it("that leads in a circle, or to nothing special, is nothing to ask about", async () => {
    for (const path of ["loop", "loop/a", "plain.txt"]) expect((await judgeCall(request("write_file", { path, content: "x" }, { workspace }))).decision).toBe("run");
  });
});
