/**
 * What a person allowed beyond one call: patterns of a session in its row, patterns of a profile in
 * its `config.yaml`. Read anew for every call, so that a change counts at once. The mode is that of
 * the settings, unless the profile's `config.yaml` names one.
 */
import { z } from "zod";
import type { Database } from "#db/database";
import type { ApprovalState } from "#agent/run-context";
import type { AgentEnvironment } from "#engines/agent-environment";
import type { Permissions } from "./host-dependencies";

const stateRowSchema = z.object({
  yolo: z.number(),
  approved_patterns: z.string().transform((text) => z.array(z.string()).catch([]).parse(JSON.parse(text))),
});

export function createPermissions(input: { readonly database: Database; readonly environment: AgentEnvironment; readonly mode: "manual" | "off" }): Permissions {
  const { database, environment, mode } = input;
  return {
    state: async (request): Promise<ApprovalState> => {
      const { rows } = await database.execute({ sql: "SELECT yolo, approved_patterns FROM sessions WHERE session_id = ?", args: [request.session_id] });
      const row = rows[0] === undefined ? null : stateRowSchema.parse(rows[0]);
      const [allowlist, approvals] = await Promise.all([environment.allowlistOf(request.profile), environment.approvalsOf(request.profile)]);
      return { mode: approvals.mode ?? mode, yolo: row?.yolo === 1, session_allows: new Set(row?.approved_patterns ?? []), allowlist };
    },
    remember: async (request, patternKeys, choice) => {
      if (choice === "session") {
        await database.batch([
          {
            sql: `UPDATE sessions SET approved_patterns = (
                    SELECT json_group_array(value) FROM (SELECT value FROM json_each(approved_patterns) UNION SELECT value FROM json_each(?))
                  ) WHERE session_id = ?`,
            args: [JSON.stringify(patternKeys), request.session_id],
          },
        ]);
      }
      if (choice === "always") {
        for (const key of patternKeys) await environment.allow(request.profile, key);
      }
    },
  };
}
