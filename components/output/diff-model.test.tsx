import { describe, expect, it } from "vitest";
import { parseDiff } from "./diff-model";

const CHANGE = `--- a/src/upload/queue.ts
+++ b/src/upload/queue.ts
@@ -84,3 +84,4 @@ abort(reason)
   before
-  this.request?.abort()
+  this.request?.abort(reason)
+  clearTimeout(this.retryTimer)
`;

describe("a unified diff", () => {
  it("takes the signs off the text and says where a hunk lies", () => {
    const [file] = parseDiff(CHANGE);
    expect(file?.path).toBe("src/upload/queue.ts");
    expect(file?.lines.map((line) => `${line.kind}:${line.text}`)).toEqual([
      "hunk:abort(reason), line 84",
      "context:  before",
      "removed:  this.request?.abort()",
      "added:  this.request?.abort(reason)",
      "added:  clearTimeout(this.retryTimer)",
    ]);
    expect([file?.added, file?.removed, file?.change]).toEqual([2, 1, "changed"]);
  });

  it("tells removed lines that look like headers from headers", () => {
    const [file, ...more] = parseDiff("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- old comment\n same\n");
    expect(more).toHaveLength(0);
    expect(file?.lines.at(1)).toEqual({ kind: "removed", text: "-- old comment" });
  });

  it("parts several files and names what happened to each", () => {
    const text = [
      "diff --git a/new.txt b/new.txt",
      "new file mode 100644",
      "index 0000000..1",
      "--- /dev/null",
      "+++ b/new.txt",
      "@@ -0,0 +1 @@",
      "+hello",
      "\\ No newline at end of file",
      "diff --git a/gone.txt b/gone.txt",
      "deleted file mode 100644",
      "--- a/gone.txt",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-bye",
      "diff --git a/pic.png b/pic.png",
      "Binary files a/pic.png and b/pic.png differ",
      "diff --git a/a.txt b/b.txt",
      "similarity index 100%",
      "rename from a.txt",
      "rename to b.txt",
    ].join("\n");
    expect(parseDiff(text).map((file) => [file.path, file.change, file.added, file.removed])).toEqual([
      ["new.txt", "added", 1, 0],
      ["gone.txt", "removed", 0, 1],
      ["pic.png", "binary", 0, 0],
      ["b.txt", "renamed", 0, 0],
    ]);
  });

  it("keeps text that is no diff as it is", () => {
    expect(parseDiff("just words\n")[0]?.lines).toEqual([{ kind: "context", text: "just words" }]);
    expect(parseDiff("")).toEqual([]);
  });
});
