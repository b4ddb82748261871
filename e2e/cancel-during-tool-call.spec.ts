/** RFC row "Cancel during tool call": one cancelled end, no process left, nothing of it written into the next turn. */
import { execFileSync } from "node:child_process";
import { expect } from "@playwright/test";
import { test } from "./support/desk-test";

test("Stop ends a command that ignores signals, the rest of its batch never starts, and the next turn stays clean (B043, B047, B048, B051)", async ({ desk, api }) => {
  const mark = `e2e-${Date.now()}`;
  const stubborn = `bash -c 'trap "" INT TERM; echo ${mark}; while :; do sleep 1; done'`;
  const sessionId = await api.makeSession();
  const other = await api.makeSession();
  const otherRun = await api.start(other, "stream 4000 10");
  await desk.open(sessionId);
  await desk.ask(`run ${stubborn}\nrun echo second > second.txt\nrun echo third > third.txt`);
  await desk.openTool(stubborn);
  await expect(desk.tool(stubborn).getByRole("figure")).toContainText(mark);
  await desk.stopButton.click();
  // It takes seconds to end; a reload meanwhile shows the same dying run (B051).
  await desk.reload();
  await expect(desk.log.getByText(/^Stopped by you/)).toBeVisible({ timeout: 20_000 });
  await desk.ask("say right after");
  await expect(desk.answers).toHaveText(["right after"]);
  await desk.isIdle();

  const [stopped, next] = (await api.open(sessionId)).runs;
  expect(stopped).toMatchObject({ status: "cancelled", terminal_state: "cancelled" });
  expect(stopped?.parts.filter((part) => part.type === "tool").map((part) => part.status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(next).toMatchObject({ terminal_state: "completed", message: { text: "say right after" } });
  const events = await api.events(stopped?.run_id ?? "");
  expect(events.filter((event) => event.type === "tool.started")).toHaveLength(1);
  expect(events.filter((event) => event.type === "status" && event.payload.status === "cancelling")).toHaveLength(1);
  expect(events.filter((event) => event.terminal)).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "cancelled", payload: { stopped: { survivors: 0 } } });
  expect(countProcesses(mark), "processes of the stopped run").toBe(0);

  // Stop meant the run on the screen and no other (B048); a late Stop changes nothing (B047).
  expect((await api.statusOf(otherRun)).status).toBe("running");
  const late = await api.ask("POST", "/api/chat/cancel", { stream_id: stopped?.run_id });
  expect(late).toMatchObject({ ok: true, cancelled: false, status: "not-active" });
  await api.ask("POST", "/api/chat/cancel", { stream_id: otherRun });
  await desk.reload();
  await expect(desk.log.getByText(/^Stopped by you/)).toHaveCount(1);
  await expect(desk.answers).toHaveText(["right after"]);
});

function countProcesses(mark: string): number {
  const list = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
  return list.split("\n").filter((line) => line.includes(mark)).length;
}
