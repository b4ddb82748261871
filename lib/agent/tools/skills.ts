/** `skills`: which instructions the profile has for kinds of work, and the text of one. */
import { z } from "zod";
import { defineTool } from "./define-tool";
import type { Tool, ToolContext } from "./tool-port";

const input = z.object({
  action: z.enum(["list", "view"]),
  name: z.string().nullish().describe("For view: the skill."),
  file: z.string().nullish().describe("For view: a file of the skill instead of its SKILL.md."),
});

interface SkillSummary {
  readonly name: string;
  readonly description: string;
}

export interface SkillsPort {
  /** Skills of the profile whose home `context.home` is. */
  list(context: ToolContext): Promise<readonly SkillSummary[]>;
  /** `text`: the skill, or why there is none. A `file` never leaves the skill's folder. */
  view(name: string, file: string | null, context: ToolContext): Promise<{ readonly ok: boolean; readonly text: string }>;
}

export function createSkills(port: SkillsPort): Tool {
  return defineTool({
    name: "skills",
    description: "Lists the skills of this profile, or shows one. Look at a skill that fits before you begin the work.",
    kind: "other",
    input,
    title: ({ action, name }) => (action === "list" ? "list skills" : (name ?? "skill")),
    async run({ action, name, file }, context) {
      if (action === "list") {
        const lines = (await port.list(context)).map((skill) => `${skill.name}: ${skill.description}`);
        return { status: "ok", result: lines.length === 0 ? "There are no skills." : lines.join("\n") };
      }
      if (name === null || name === undefined || name === "") return { status: "error", result: "view needs the name of a skill." };
      const { ok, text } = await port.view(name, file ?? null, context);
      return { status: ok ? "ok" : "error", result: text };
    },
  });
}
